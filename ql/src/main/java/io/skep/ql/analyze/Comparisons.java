package io.skep.ql.analyze;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.TypeMapping;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.common.type.HiveDecimal;

/**
 * Comparisons of mixed types. A constant that stands beside a column takes the column's type where its value allows it (so
 * that {@code f = 1.1} is a comparison of floats); otherwise both sides take the type that Hive compares them in.
 */
final class Comparisons {
    private final HiveRexBuilder rex;

    Comparisons(HiveRexBuilder rex) {
        this.rex = rex;
    }

    RexNode compare(SyntaxNode where, SqlOperator operator, RexNode left, RexNode right) {
        RexNode a = left;
        RexNode b = right;
        if (isColumn(a) && b instanceof RexLiteral constant) {
            b = fitted(constant, type(a)).orElse(b);
        } else if (isColumn(b) && a instanceof RexLiteral constant) {
            a = fitted(constant, type(b)).orElse(a);
        }
        SqlType common = commonType(where, type(a), type(b));
        return rex.makeCall(operator, rex.cast(a, common), rex.cast(b, common));
    }

    private static SqlType commonType(SyntaxNode where, SqlType left, SqlType right) {
        return TypeRules.comparison(left, right)
                .orElseThrow(() -> SemanticErrors.typeMismatch(
                        where, "values of types " + left + " and " + right + " cannot be compared"));
    }

    private static void checkTruth(SyntaxNode where, SqlType value, SqlType candidate) {
        boolean mixed = (value == PrimitiveType.BOOLEAN) != (candidate == PrimitiveType.BOOLEAN);
        if (mixed && value != PrimitiveType.VOID && candidate != PrimitiveType.VOID) {
            throw SemanticErrors.typeMismatch(
                    where, "a value of type " + value + " cannot be looked up among values of type " + candidate);
        }
    }

    /**
     * IN over a list: one comparison a value; those that have the value's own type are looked up together. A constant that a
     * column's type does not have is left out.
     */
    RexNode in(SyntaxNode where, RexNode value, List<RexNode> candidates) {
        List<RexNode> constants = new ArrayList<>();
        List<RexNode> alternatives = new ArrayList<>();
        for (RexNode candidate : candidates) {
            checkTruth(where, type(value), type(candidate));
            if (candidate instanceof RexLiteral literal && literal.isNull()) {
                alternatives.add(rex.constant(Datum.NULL, PrimitiveType.BOOLEAN));
                continue;
            }
            Optional<RexNode> fitted = candidate instanceof RexLiteral literal && isColumn(value)
                    ? fitted(literal, type(value))
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

    /** Types whose constants Calcite keeps in search arguments as Hive orders and equates them. */
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
     * A constant in a column's type. The constant as it is when there is nothing to gain; empty when the column's type has no
     * such value.
     */
    private Optional<RexNode> fitted(RexLiteral constant, SqlType target) {
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
        int bits = switch (target) {
            case TINYINT -> Byte.SIZE;
            case SMALLINT -> Short.SIZE;
            case INT -> Integer.SIZE;
            default -> Long.SIZE;
        };
        return value.bitLength() < bits
                ? Optional.of(rex.constant(new Datum.OfLong(value.longValue()), target))
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
