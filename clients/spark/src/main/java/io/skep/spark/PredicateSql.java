package io.skep.spark;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Spark's predicates as HiveQL: those that are true, false and unknown for the same rows. All others have no text here,
 * and Spark evaluates them.
 */
final class PredicateSql {
    /** Longer ones are evaluated by Spark. */
    private static final int MAX_CHARS = 64 << 10;

    private static final Map<String, String> TURNED =
            Map.of("=", "=", "<>", "<>", "<=>", "<=>", "<", ">", ">", "<", "<=", ">=", ">=", "<=");

    private final StructType columns;
    private final Optional<ZoneOffset> offset;

    /**
     * @param columns those of the table, with Hive's types
     * @param offset what Spark's wall clocks are ahead of UTC, if it is always the same; without it, comparisons of
     *     wall clocks are not those of instants
     */
    PredicateSql(StructType columns, Optional<ZoneOffset> offset) {
        this.columns = columns;
        this.offset = offset;
    }

    /** Returns the text of a predicate, in parentheses; empty when HiveQL has no equal one. */
    Optional<String> of(Predicate predicate) {
        return text(predicate).filter(text -> text.length() <= MAX_CHARS);
    }

    private Optional<String> text(Expression expression) {
        if (!(expression instanceof Predicate predicate)) {
            return Optional.empty();
        }
        Expression[] inputs = predicate.children();
        return switch (predicate.name()) {
            case "AND", "OR" -> joined(List.of(inputs), " " + predicate.name() + " ");
            case "NOT" -> text(inputs[0]).map(text -> "(NOT " + text + ")");
            case "IS_NULL" -> column(inputs[0]).map(column -> "(" + SqlText.name(column.name()) + " IS NULL)");
            case "IS_NOT_NULL" -> column(inputs[0]).map(column -> "(" + SqlText.name(column.name()) + " IS NOT NULL)");
            case "ALWAYS_TRUE" -> Optional.of("(1 = 1)");
            case "ALWAYS_FALSE" -> Optional.of("(1 = 0)");
            case "=", "<>", "<=>", "<", "<=", ">", ">=" -> comparison(predicate.name(), inputs[0], inputs[1]);
            case "IN" -> in(inputs);
            case "STARTS_WITH" -> like(inputs, "", "%");
            case "ENDS_WITH" -> like(inputs, "%", "");
            case "CONTAINS" -> like(inputs, "%", "%");
            default -> Optional.empty();
        };
    }

    private Optional<String> joined(List<Expression> inputs, String operator) {
        List<String> texts = new ArrayList<>();
        for (Expression input : inputs) {
            Optional<String> text = text(input);
            if (text.isEmpty()) {
                return Optional.empty();
            }
            texts.add(text.get());
        }
        return Optional.of("(" + String.join(operator, texts) + ")");
    }

    /** Returns the column that an expression is; empty for fields of columns and for everything else. */
    Optional<StructField> column(Expression expression) {
        if (!(expression instanceof NamedReference reference) || reference.fieldNames().length != 1) {
            return Optional.empty();
        }
        for (StructField column : columns.fields()) {
            if (column.name().equals(reference.fieldNames()[0])) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }

    private Optional<String> comparison(String operator, Expression left, Expression right) {
        Optional<StructField> column = column(left);
        Optional<StructField> other = column(right);
        if (column.isPresent() && other.isPresent()) {
            return ofColumns(operator, column.get(), other.get());
        }
        if (column.isPresent() && right instanceof Literal<?> literal) {
            return withLiteral(operator, column.get(), literal);
        }
        if (other.isPresent() && left instanceof Literal<?> literal) {
            return withLiteral(TURNED.getOrDefault(operator, operator), other.get(), literal);
        }
        return Optional.empty();
    }

    private static Optional<String> ofColumns(String operator, StructField left, StructField right) {
        return ColumnTypes.isExact(left.dataType()) && left.dataType().equals(right.dataType())
                ? Optional.of("(" + SqlText.name(left.name()) + " " + operator + " " + SqlText.name(right.name()) + ")")
                : Optional.empty();
    }

    private Optional<String> withLiteral(String operator, StructField column, Literal<?> literal) {
        String name = SqlText.name(column.name());
        if (isTime(column)) {
            return literal.value() instanceof Long micros && comparable(column.dataType(), literal.dataType())
                    ? ofTime(operator, name, wallClock(micros, column.dataType()))
                    : Optional.empty();
        }
        return value(column.dataType(), literal).map(value -> "(" + name + " " + operator + " " + value + ")");
    }

    /** Returns the literal of HiveQL; empty when the two systems compare it in different ways. */
    private static Optional<String> value(DataType column, Literal<?> literal) {
        boolean known = ColumnTypes.isExact(column) || ColumnTypes.isBoolean(column);
        return known && comparable(column, literal.dataType())
                ? LiteralSql.of(literal.value(), literal.dataType())
                : Optional.empty();
    }

    private static boolean comparable(DataType column, DataType literal) {
        return column.equals(literal) || ColumnTypes.isText(column) && ColumnTypes.isText(literal);
    }

    private boolean isTime(StructField column) {
        return column.dataType() instanceof TimestampNTZType
                || column.dataType() instanceof TimestampType && offset.isPresent() && !ColumnTypes.isInstant(column);
    }

    /** Returns the microseconds of the wall clock that Hive's TIMESTAMP has. */
    private long wallClock(long micros, DataType type) {
        return type instanceof TimestampType
                ? micros + offset.map(ZoneOffset::getTotalSeconds).orElse(0) * 1_000_000L
                : micros;
    }

    /**
     * Hive's timestamps have digits below the microsecond, which Spark does not see. So each value of Spark is a range
     * of Hive's.
     */
    private static Optional<String> ofTime(String operator, String name, long micros) {
        Optional<String> from = LiteralSql.timestamp(micros);
        Optional<String> to = LiteralSql.timestamp(micros + 1);
        if (from.isEmpty() || to.isEmpty()) {
            return Optional.empty();
        }
        String begun = name + " >= " + from.get();
        String over = name + " >= " + to.get();
        return switch (operator) {
            case "=" -> Optional.of("(" + begun + " AND NOT " + over + ")");
            case "<>" -> Optional.of("(NOT " + begun + " OR " + over + ")");
            case "<" -> Optional.of("(" + name + " < " + from.get() + ")");
            case "<=" -> Optional.of("(" + name + " < " + to.get() + ")");
            case ">" -> Optional.of("(" + over + ")");
            case ">=" -> Optional.of("(" + begun + ")");
            default -> Optional.empty();
        };
    }

    private Optional<String> in(Expression[] inputs) {
        Optional<StructField> column = column(inputs[0]);
        if (column.isEmpty() || inputs.length == 1 || isTime(column.get())) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>();
        for (int i = 1; i < inputs.length; i++) {
            Optional<String> value = inputs[i] instanceof Literal<?> literal
                    ? value(column.get().dataType(), literal)
                    : Optional.empty();
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of("(" + SqlText.name(column.get().name()) + " IN (" + String.join(", ", values) + "))");
    }

    /** Texts with the signs of patterns in them are left to Spark. */
    private Optional<String> like(Expression[] inputs, String before, String after) {
        Optional<StructField> column = column(inputs[0]).filter(one -> ColumnTypes.isText(one.dataType()));
        if (column.isEmpty()
                || !(inputs[1] instanceof Literal<?> literal)
                || literal.value() == null
                || !ColumnTypes.isText(literal.dataType())) {
            return Optional.empty();
        }
        String text = literal.value().toString();
        if (text.isEmpty() || text.chars().anyMatch(sign -> "%_\\\uFFFD".indexOf(sign) >= 0)) {
            return Optional.empty();
        }
        return Optional.of(
                "(" + SqlText.name(column.get().name()) + " LIKE " + SqlText.literal(before + text + after) + ")");
    }
}
