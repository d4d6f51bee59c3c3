package io.skep.ql.analyze;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.PlanParameter;
import io.skep.ql.rel.TypeMapping;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.common.type.HiveDecimal;

/**
 * Builds comparisons of mixed types. A constant compared with a column is converted to the column's type where its
 * value allows it, so that {@code f = 1.1} compares floats. Otherwise both sides are converted to the type in which
 * Hive compares them.
 */
final class Comparisons {
    /** Hive's names of the comparisons that need an order. */
    private static final Map<SqlKind, String> ORDERING = Map.of(
            SqlKind.LESS_THAN, "LESS THAN",
            SqlKind.LESS_THAN_OR_EQUAL, "EQUAL OR LESS THAN",
            SqlKind.GREATER_THAN, "GREATER THAN",
            SqlKind.GREATER_THAN_OR_EQUAL, "EQUAL OR GREATER THAN");

    private final HiveRexBuilder rex;

    private final AnalysisContext context;

    Comparisons(HiveRexBuilder rex, AnalysisContext context) {
        this.rex = rex;
        this.context = context;
    }

    RexNode compare(SyntaxNode where, SqlOperator operator, RexNode left, RexNode right) {
        RexNode a = resolveParameter(where, left, right);
        RexNode b = resolveParameter(where, right, left);
        if (isColumn(a) && b instanceof RexLiteral constant) {
            b = convertToColumnType(constant, type(a)).orElse(b);
        } else if (isColumn(b) && a instanceof RexLiteral constant) {
            a = convertToColumnType(constant, type(b)).orElse(a);
        }
        SqlType common = commonType(where, type(a), type(b));
        TypeRules.notOrdered(common)
                .filter(kind -> ORDERING.containsKey(operator.getKind()))
                .ifPresent(kind -> {
                    throw SemanticErrors.wrongOperands(
                            where, ORDERING.get(operator.getKind()) + " does not support " + kind + " types");
                });
        if (operator.getKind() != SqlKind.IS_NOT_DISTINCT_FROM && (isNull(a) || isNull(b))) {
            return rex.constant(Datum.NULL, PrimitiveType.BOOLEAN);
        }
        return rex.makeCall(operator, rex.cast(a, common), rex.cast(b, common));
    }

    private static boolean isNull(RexNode node) {
        return node instanceof RexLiteral literal && literal.isNull();
    }

    /**
     * Decides whether a side of a comparison stays a plan parameter. A parameter stays one if the other side is a
     * column and the constant converts to the column's type. Otherwise its literal replaces it.
     */
    private RexNode resolveParameter(SyntaxNode where, RexNode side, RexNode other) {
        if (!(side instanceof PlanParameter open) || open.isReplaceable()) {
            return side;
        }
        RexLiteral literal = open.assumedValues().getFirst();
        Optional<RexLiteral> value = isColumn(other) ? columnValue(where, type(other), literal) : Optional.empty();
        if (value.isEmpty()) {
            context.recordValueUse(open.getIndex());
            return literal;
        }
        return rex.parameter(open.getIndex(), List.of(value.get()), true);
    }

    /**
     * Returns the value that a constant has in a comparison with a column of a type: a non-null value of the column's
     * type. Empty if the comparison would take another form: in other types, or with null.
     */
    Optional<RexLiteral> columnValue(SyntaxNode where, SqlType columnType, RexLiteral constant) {
        if (constant.isNull()) {
            return Optional.empty();
        }
        if (type(constant).equals(columnType)) {
            return Optional.of(constant);
        }
        RexNode column = rex.column(0, columnType);
        if (!(compare(where, SqlStdOperatorTable.EQUALS, column, constant) instanceof RexCall call)
                || !call.getOperands().getFirst().equals(column)) {
            return Optional.empty();
        }
        RexNode value = call.getOperands().get(1);
        Optional<RexLiteral> literal = value instanceof RexLiteral known
                ? Optional.of(known)
                : plainDate(constant, type(value)).or(() -> evaluated(value));
        return literal.filter(known -> !known.isNull() && type(known).equals(columnType));
    }

    /**
     * Parses a date written as year, month and day. Hive's conversion reads such a text as it is, so that the
     * conversion need not be called.
     */
    private Optional<RexLiteral> plainDate(RexLiteral constant, SqlType converted) {
        if (converted != PrimitiveType.DATE || type(constant) != PrimitiveType.STRING) {
            return Optional.empty();
        }
        String text = LiteralMapping.toDatum(constant).toString();
        if (!text.matches("[1-9]\\d{3}-\\d\\d-\\d\\d")) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    rex.constant(new Datum.OfLong(LocalDate.parse(text).toEpochDay()), PrimitiveType.DATE));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Evaluates a constant that was converted to a date or a time, if Calcite has a literal for the value. */
    private Optional<RexLiteral> evaluated(RexNode converted) {
        SqlType type = type(converted);
        boolean time = type == PrimitiveType.DATE
                || type == PrimitiveType.TIMESTAMP
                || type == PrimitiveType.TIMESTAMP_LOCAL_TZ;
        return time
                ? context.evaluate(converted, rex)
                        .filter(value -> LiteralMapping.isInRange(value, type))
                        .map(value -> rex.constant(value, type))
                : Optional.empty();
    }

    /** Builds IN over a list that may stay a plan parameter. */
    RexNode inParameterList(SyntaxNode where, RexNode value, PlanParameter list) {
        List<RexLiteral> values = isColumn(value) && sortable(type(value))
                ? list.assumedValues().stream()
                        .flatMap(literal -> columnValue(where, type(value), literal).stream())
                        .toList()
                : List.of();
        if (values.size() < list.assumedValues().size()) {
            context.recordValueUse(list.getIndex());
            return in(where, value, List.copyOf(list.assumedValues()));
        }
        return rex.inParameterList(value, rex.parameter(list.getIndex(), values, true));
    }

    /** Returns the type in which values of two types are compared. */
    static SqlType commonType(SyntaxNode where, SqlType left, SqlType right) {
        return TypeRules.comparison(left, right)
                .orElseThrow(() -> SemanticErrors.wrongOperands(
                        where, "values of types " + left + " and " + right + " cannot be compared"));
    }

    private static void checkTruth(SyntaxNode where, SqlType value, SqlType candidate) {
        boolean mixed = (value == PrimitiveType.BOOLEAN) != (candidate == PrimitiveType.BOOLEAN);
        if (mixed && value != PrimitiveType.VOID && candidate != PrimitiveType.VOID) {
            throw SemanticErrors.wrongOperands(
                    where, "a value of type " + value + " cannot be looked up among values of type " + candidate);
        }
    }

    /**
     * Builds IN over a list. Each value gets its own comparison, except that constants of the tested value's own type
     * form a single lookup. Constants that the column's type cannot represent are left out.
     */
    RexNode in(SyntaxNode where, RexNode value, List<RexNode> candidates) {
        List<RexNode> constants = new ArrayList<>();
        List<RexNode> alternatives = new ArrayList<>();
        for (RexNode candidate : candidates) {
            Interruption.check();
            checkTruth(where, type(value), type(candidate));
            if (candidate instanceof RexLiteral literal && literal.isNull()) {
                alternatives.add(rex.constant(Datum.NULL, PrimitiveType.BOOLEAN));
                continue;
            }
            Optional<RexNode> fitted = candidate instanceof RexLiteral literal && isColumn(value)
                    ? convertToColumnType(literal, type(value))
                    : Optional.of(candidate);
            if (fitted.isEmpty()) {
                continue;
            }
            if (fitted.get() instanceof RexLiteral literal && sortable(type(value)) && sameType(value, literal)) {
                constants.add(literal);
            } else {
                alternatives.add(compare(where, SqlStdOperatorTable.EQUALS, value, candidate));
            }
        }
        if (constants.size() == 1) {
            alternatives.addFirst(rex.makeCall(SqlStdOperatorTable.EQUALS, value, constants.getFirst()));
        } else if (!constants.isEmpty()) {
            alternatives.addFirst(rex.makeIn(value, constants));
        }
        if (alternatives.isEmpty()) {
            return rex.makeLiteral(false);
        }
        return alternatives.size() == 1
                ? alternatives.getFirst()
                : rex.makeCall(
                        SqlStdOperatorTable.OR,
                        alternatives.stream().distinct().toList().size() == 1
                                ? List.of(alternatives.getFirst(), alternatives.getFirst())
                                : alternatives.stream().distinct().toList());
    }

    private boolean sameType(RexNode left, RexNode right) {
        return rex.sameType(left.getType(), right.getType());
    }

    /** Whether Calcite's search arguments order and equate constants of this type as Hive does. */
    private static boolean sortable(SqlType type) {
        return type instanceof DecimalType
                || type instanceof VarcharType
                || type instanceof PrimitiveType primitive
                        && switch (primitive) {
                            case TINYINT, SMALLINT, INT, BIGINT, STRING, DATE -> true;
                            default -> false;
                        };
    }

    private static SqlType type(RexNode node) {
        return TypeMapping.toSql(node.getType());
    }

    private static boolean isColumn(RexNode node) {
        return node instanceof RexInputRef || node instanceof RexFieldAccess;
    }

    /**
     * Converts a constant to a column's type. Returns the constant unchanged if conversion brings no benefit, and empty
     * if the column's type has no such value.
     */
    private Optional<RexNode> convertToColumnType(RexLiteral constant, SqlType target) {
        if (constant.isNull()) {
            return Optional.of(rex.constant(Datum.NULL, target));
        }
        SqlType source = type(constant);
        if (source.equals(target)) {
            return Optional.of(constant);
        }
        Datum value = LiteralMapping.toDatum(constant);
        if (TypeRules.isNumeric(target) && (TypeRules.isNumeric(source) || source == PrimitiveType.STRING)) {
            return number(text(value, source), target);
        }
        if (source == PrimitiveType.STRING && (target instanceof CharType || target instanceof VarcharType)) {
            return characters(value.toString(), target);
        }
        return Optional.of(constant);
    }

    private static String text(Datum value, SqlType type) {
        return switch (value) {
            case Datum.OfLong v ->
                type instanceof DecimalType decimal
                        ? BigDecimal.valueOf(v.value(), decimal.scale()).toPlainString()
                        : Long.toString(v.value());
            case Datum.OfDecimal v -> new BigDecimal(v.unscaled(), ((DecimalType) type).scale()).toPlainString();
            case Datum.OfDouble v -> Double.toString(v.value());
            default -> value.toString();
        };
    }

    private Optional<RexNode> number(String text, SqlType target) {
        try {
            if (target instanceof DecimalType) {
                return decimal(text);
            }
            return switch ((PrimitiveType) target) {
                case FLOAT -> Optional.of(rex.constant(new Datum.OfDouble(Float.parseFloat(text)), target));
                case DOUBLE -> Optional.of(rex.constant(new Datum.OfDouble(Double.parseDouble(text)), target));
                default -> whole(text, (PrimitiveType) target);
            };
        } catch (NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private Optional<RexNode> whole(String text, PrimitiveType target) {
        BigInteger value = new BigDecimal(text).toBigIntegerExact();
        return value.bitLength() < bits(target)
                ? Optional.of(rex.constant(new Datum.OfLong(value.longValue()), target))
                : Optional.empty();
    }

    private static int bits(PrimitiveType whole) {
        return switch (whole) {
            case TINYINT -> Byte.SIZE;
            case SMALLINT -> Short.SIZE;
            case INT -> Integer.SIZE;
            default -> Long.SIZE;
        };
    }

    /**
     * Does the work of {@link #columnValue} for a whole number and a column of whole numbers. The number converts if it
     * fits into the column's type.
     */
    Optional<RexLiteral> columnValue(SqlType columnType, long constant) {
        int unused = Long.SIZE - bits((PrimitiveType) columnType);
        return ((constant << unused) >> unused) == constant
                ? Optional.of(rex.constant(new Datum.OfLong(constant), columnType))
                : Optional.empty();
    }

    private Optional<RexNode> decimal(String text) {
        HiveDecimal value = HiveDecimal.create(text);
        if (value == null) {
            return Optional.empty();
        }
        LiteralAnalyzer.Literal literal =
                LiteralAnalyzer.decimal(value.bigDecimalValue(), new DecimalType(value.precision(), value.scale()));
        return Optional.of(rex.constant(literal.value(), literal.type()));
    }

    private Optional<RexNode> characters(String text, SqlType target) {
        int length = target instanceof CharType c ? c.length() : ((VarcharType) target).length();
        String kept = target instanceof CharType ? text.stripTrailing() : text;
        return kept.codePointCount(0, kept.length()) <= length
                ? Optional.of(rex.constant(Datum.ofText(kept), target))
                : Optional.empty();
    }
}
