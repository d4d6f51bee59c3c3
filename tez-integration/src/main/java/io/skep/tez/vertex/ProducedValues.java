package io.skep.tez.vertex;

import io.skep.engine.filter.ColumnValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** The values that fragments have reported for columns of their outputs, by task. */
final class ProducedValues {
    private final Map<Integer, Map<Integer, Map<Integer, ColumnValues>>> told = new HashMap<>();

    /** @param columns by number */
    void put(int fragment, int task, Map<Integer, ColumnValues> columns) {
        told.computeIfAbsent(fragment, _ -> new HashMap<>()).put(task, columns);
    }

    /**
     * Returns the values of a column over all tasks of some fragments.
     *
     * @param tasks how many tasks a fragment has
     * @return nothing while a task has not reported
     */
    Optional<ColumnValues> of(List<Integer> fragments, int column, IntUnaryOperator tasks) {
        ColumnValues all = ColumnValues.NONE;
        for (int fragment : fragments) {
            Map<Integer, Map<Integer, ColumnValues>> known = told.getOrDefault(fragment, Map.of());
            for (int task = 0; task < tasks.applyAsInt(fragment); task++) {
                ColumnValues values = known.getOrDefault(task, Map.of()).get(column);
                if (values == null) {
                    return Optional.empty();
                }
                all = all.and(values);
            }
        }
        return Optional.of(all);
    }
}
