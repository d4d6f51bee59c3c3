package io.skep.ql.explain;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Prints expressions in a readable form, with the names of columns. */
final class ExpressionPrinter {
    private static final Set<String> INFIX =
            Set.of("=", "<>", "<", "<=", ">", ">=", "<=>", "+", "-", "*", "/", "%", "like");

    private final IntFunction<String> columns;

    /** @param columns names the input columns by their index */
    ExpressionPrinter(IntFunction<String> columns) {
        this.columns = columns;
    }

    String printAll(List<? extends Expression> expressions) {
        return expressions.stream().map(this::print).collect(Collectors.joining(", "));
    }

    String print(Expression expression) {
        return switch (expression) {
            case Expression.InputColumn column -> columns.apply(column.index());
            case Expression.Constant constant -> constant(constant.value(), constant.type());
            case Expression.Call call
            when call.arguments().size() == 2 && INFIX.contains(call.function()) ->
                "(" + print(call.arguments().get(0)) + " " + call.function() + " "
                        + print(call.arguments().get(1)) + ")";
            case Expression.Call call -> call.function() + "(" + printAll(call.arguments()) + ")";
            case Expression.Cast cast ->
                "cast(" + print(cast.operand()) + " as " + cast.type().displayName() + ")";
            case Expression.And and -> joined(and.operands(), " and ");
            case Expression.Or or -> joined(or.operands(), " or ");
            case Expression.Case caseWhen ->
                caseWhen.branches().stream()
                        .map(branch -> " when " + print(branch.condition()) + " then " + print(branch.value()))
                        .collect(Collectors.joining("", "case", " else " + print(caseWhen.otherwise()) + " end"));
            case Expression.In in -> print(in.value()) + " in (" + printAll(in.candidates()) + ")";
        };
    }

    private String joined(List<Expression> operands, String separator) {
        return operands.stream().map(this::print).collect(Collectors.joining(separator, "(", ")"));
    }

    private static String constant(Datum value, SqlType type) {
        return switch (value) {
            case Datum.Null n -> "null";
            case Datum.OfLong v -> number(v.value(), type);
            case Datum.OfDouble v -> Double.toString(v.value());
            case Datum.OfBytes v -> "'" + v + "'";
            case Datum.OfDecimal v -> new BigDecimal(v.unscaled(), ((DecimalType) type).scale()).toPlainString();
            case Datum.OfTimestamp v when type == PrimitiveType.INTERVAL_DAY_TIME -> v.seconds() + " seconds";
            case Datum.OfTimestamp v ->
                "'"
                        + LocalDateTime.ofEpochSecond(v.seconds(), v.nanos(), ZoneOffset.UTC)
                                .toString()
                                .replace('T', ' ')
                        + "'";
            case Datum.OfList v -> v.values().size() + " values";
            case Datum.OfMap v -> v.keys().size() + " entries";
            case Datum.OfUnion v -> "a union";
        };
    }

    private static String number(long value, SqlType type) {
        return switch (type) {
            case PrimitiveType.BOOLEAN -> value == 0 ? "false" : "true";
            case PrimitiveType.DATE -> "'" + LocalDate.ofEpochDay(value) + "'";
            case PrimitiveType.INTERVAL_YEAR_MONTH -> value + " months";
            case DecimalType decimal -> new BigDecimal(BigInteger.valueOf(value), decimal.scale()).toPlainString();
            default -> Long.toString(value);
        };
    }
}
