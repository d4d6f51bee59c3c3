package io.skep.tez.vertex;

import io.skep.llap.client.PartitionSizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a vertex's producers have said of their outputs, by fragment and task; a later attempt's word replaces the earlier one's. */
final class OutputSizes {
    private final Map<Integer, Map<Integer, PartitionSizes>> said = new HashMap<>();

    /** A task's output. */
    record Output(int fragment, int task, PartitionSizes sizes) {}

    void put(int fragment, int task, PartitionSizes sizes) {
        said.computeIfAbsent(fragment, number -> new HashMap<>()).put(task, sizes);
    }

    /**
     * The outputs of the given fragments, in their order and that of their tasks.
     *
     * @param tasks by fragment, how many tasks it has
     * @return nothing as long as a task has said nothing, or something else than its partitions
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

    /** The bytes of each partition over several outputs; none is more than {@code Long.MAX_VALUE}. */
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
