package io.skep.engine.plan;

import io.skep.common.type.SqlType;
import java.util.List;
import java.util.OptionalInt;

/**
 * One aggregate of an {@link PlanNode.Aggregate}.
 *
 * @param function name in the registry
 * @param arguments input columns with the raw arguments; for a step that merges states, the one column with the states
 * @param filter boolean column of the input of a PARTIAL, SINGLE or INTERMEDIATE step: only rows for which it is true
 *     count
 * @param argumentTypes types of the raw arguments, in every step
 * @param stateType type of the partial state between two steps
 * @param type type of the result
 */
public record AggregateCall(
        String function,
        boolean distinct,
        List<Integer> arguments,
        OptionalInt filter,
        List<SqlType> argumentTypes,
        SqlType stateType,
        SqlType type) {
    public AggregateCall {
        arguments = List.copyOf(arguments);
        argumentTypes = List.copyOf(argumentTypes);
    }
}
