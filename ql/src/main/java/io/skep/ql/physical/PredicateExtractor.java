package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.storage.scan.ColumnPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Extracts the conditions on single columns that readers can use to skip row groups. Conditions of other forms are left
 * out.
 */
final class PredicateExtractor {
    private static final Map<String, String> FLIPPED = Map.of("=", "=", "<", ">", "<=", ">=", ">", "<", ">=", "<=");

    private PredicateExtractor() {}

    /** @param ordinals the table ordinal of each input column of the predicates */
    static List<ColumnPredicate> extract(List<Expression> conjuncts, List<Integer> ordinals) {
        List<ColumnPredicate> predicates = new ArrayList<>();
        conjuncts.forEach(conjunct -> predicates.addAll(of(conjunct, ordinals)));
        return predicates;
    }

    private static List<ColumnPredicate> of(Expression conjunct, List<Integer> ordinals) {
        return switch (conjunct) {
            case Expression.In in
            when in.value() instanceof Expression.InputColumn column ->
                List.of(new ColumnPredicate.In(
                        ordinals.get(column.index()),
                        in.candidates().stream()
                                .map(Expression.Constant::value)
                                .filter(value -> !value.isNull())
                                .toList()));
            case Expression.Or or -> orOfEqualities(or, ordinals);
            case Expression.Call call -> ofCall(call, ordinals);
            default -> List.of();
        };
    }

    private static List<ColumnPredicate> ofCall(Expression.Call call, List<Integer> ordinals) {
        List<Expression> arguments = call.arguments();
        if (arguments.size() == 1 && arguments.getFirst() instanceof Expression.InputColumn column) {
            int ordinal = ordinals.get(column.index());
            return switch (call.function()) {
                case "isnull" -> List.of(new ColumnPredicate.IsNull(ordinal));
                case "isnotnull" -> List.of(new ColumnPredicate.IsNotNull(ordinal));
                default -> List.of();
            };
        }
        if (arguments.size() != 2 || !FLIPPED.containsKey(call.function())) {
            return List.of();
        }
        Expression left = arguments.get(0);
        Expression right = arguments.get(1);
        if (left instanceof Expression.InputColumn column && right instanceof Expression.Constant constant) {
            return comparison(ordinals.get(column.index()), call.function(), constant.value());
        }
        if (right instanceof Expression.InputColumn column && left instanceof Expression.Constant constant) {
            String flipped = FLIPPED.getOrDefault(call.function(), call.function());
            return comparison(ordinals.get(column.index()), flipped, constant.value());
        }
        return List.of();
    }

    private static List<ColumnPredicate> comparison(int ordinal, String operator, Datum value) {
        if (value.isNull()) {
            return List.of();
        }
        Optional<Datum> bound = Optional.of(value);
        return switch (operator) {
            case "=" -> List.of(new ColumnPredicate.In(ordinal, List.of(value)));
            case "<", "<=" ->
                List.of(new ColumnPredicate.Range(ordinal, Optional.empty(), false, bound, operator.equals("<=")));
            case ">", ">=" ->
                List.of(new ColumnPredicate.Range(ordinal, bound, operator.equals(">="), Optional.empty(), false));
            default -> List.of();
        };
    }

    /** Extracts {@code a = 1 OR a = 2 OR a IN (3, 4)}. */
    private static List<ColumnPredicate> orOfEqualities(Expression.Or or, List<Integer> ordinals) {
        List<Datum> values = new ArrayList<>();
        Integer ordinal = null;
        for (Expression operand : or.operands()) {
            List<ColumnPredicate> parts = of(operand, ordinals);
            if (parts.size() != 1
                    || !(parts.getFirst() instanceof ColumnPredicate.In in)
                    || (ordinal != null && ordinal != in.column())) {
                return List.of();
            }
            ordinal = in.column();
            values.addAll(in.values());
        }
        return ordinal == null ? List.of() : List.of(new ColumnPredicate.In(ordinal, values));
    }
}
