package io.skep.tez.vertex;

import io.skep.llap.client.PartitionSizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sizes that a vertex's producers have reported for their outputs, by fragment and task. The report of a later
 * attempt replaces an earlier one.
 */
final class OutputSizes {
    private final Map<Integer, Map<Integer, PartitionSizes>> said = new HashMap<>();

    /** The sizes of a task's output. */
    record Output(int fragment, int task, PartitionSizes sizes) {}

    void put(int fragment, int task, PartitionSizes sizes) {
        said.computeIfAbsent(fragment, number -> new HashMap<>()).put(task, sizes);
    }

    /**
     * Returns the outputs of the given fragments, in the order of fragments and tasks.
     *
     * @param tasks the number of tasks of each fragment
     * @return nothing while a task has not reported, or has reported another number of partitions
     */
    Optional<List<Output>> outputs(List<Integer> fragments, Map<Integer, Integer> tasks, int partitions) {
        List<Output> outputs = new ArrayList<>();
        for (int fragment : fragments) {
            Map<Integer, PartitionSizes> known = said.getOrDefault(fragment, Map.of());
            for (int task = 0; task < tasks.getOrDefault(fragment, 0); task++) {
                PartitionSizes sizes = known.get(task);
                if (sizes == null || sizes.partitions() != partitions) {
                    return Optional.empty();
                }
                outputs.add(new Output(fragment, task, sizes));
            }
        }
        return Optional.of(outputs);
    }

    /** Returns the bytes of each partition over several outputs. Sums are capped at {@code Long.MAX_VALUE}. */
    static long[] total(List<Output> outputs, int partitions) {
        long[] total = new long[partitions];
        for (Output output : outputs) {
            for (int i = 0; i < partitions; i++) {
                total[i] = sum(total[i], output.sizes().bytes(i));
            }
        }
        return total;
    }

    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
