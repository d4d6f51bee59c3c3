package io.skep.tez;

import io.skep.llap.client.PartitionSizes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a vertex's producers have said of their outputs, by fragment and task; a later attempt's word replaces the earlier one's. */
final class ProducedSizes {
    private final Map<Integer, Map<Integer, PartitionSizes>> said = new HashMap<>();

    void put(int fragment, int task, PartitionSizes sizes) {
        said.computeIfAbsent(fragment, number -> new HashMap<>()).put(task, sizes);
    }

    /**
     * The bytes of each partition over all of the given outputs.
     *
     * @param tasks by fragment, how many tasks it has
     * @return nothing as long as a task has said nothing, or something else than its partitions
     */
    Optional<long[]> total(List<Integer> fragments, Map<Integer, Integer> tasks, int partitions) {
        long[] total = new long[partitions];
        for (int fragment : fragments) {
            Map<Integer, PartitionSizes> outputs = said.getOrDefault(fragment, Map.of());
            if (outputs.size() != tasks.getOrDefault(fragment, -1)) {
                return Optional.empty();
            }
            for (PartitionSizes output : outputs.values()) {
                if (output.partitions() != partitions) {
                    return Optional.empty();
                }
                for (int i = 0; i < partitions; i++) {
                    total[i] = saturated(total[i] + output.bytes(i));
                }
            }
        }
        return Optional.of(total);
    }

    private static long saturated(long sum) {
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
