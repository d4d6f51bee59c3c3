package io.skep.tez.vertex;

import io.skep.llap.client.PartitionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Divides the input of a vertex among its tasks, by the sizes of the outputs. */
final class TaskInputs {
    private TaskInputs() {}

    /**
     * Returns one input per task, in the order of partitions. There are at most as many as there are partitions.
     * Partitions that are not skewed are grouped until a group is worth a task. If other partitions are skewed, a group
     * must also reach the mean size. The tasks that grouping saves share the skewed partitions.
     *
     * @param outputs of all tasks whose partitions the vertex reads
     * @param sliceable fragments among them that a task may read in part
     */
    static List<TaskInput> of(
            List<OutputSizes.Output> outputs, Set<Integer> sliceable, int partitions, VertexManagerPayload payload) {
        long[] total = OutputSizes.total(outputs, partitions);
        List<OutputSizes.Output> slices = outputs.stream()
                .filter(output -> sliceable.contains(output.fragment()))
                .toList();
        SkewedPartitions skewed = new SkewedPartitions(slices, total, payload);
        long taskBytes = skewed.any() ? Math.max(payload.taskBytes(), mean(total)) : payload.taskBytes();
        List<PartitionRange> whole = new ArrayList<>();
        int first = 0;
        for (int i = 0; i <= partitions; i++) {
            if (i == partitions || skewed.contains(i)) {
                addGroups(total, first, i, taskBytes, whole);
                first = i + 1;
            }
        }
        int[] counts = skewed.counts(partitions - whole.size(), taskBytes);
        List<TaskInput> inputs = new ArrayList<>();
        whole.forEach(range -> inputs.add(new TaskInput(range)));
        for (int i = 0; i < partitions; i++) {
            if (counts[i] == 1) {
                inputs.add(new TaskInput(PartitionRange.of(i)));
            } else if (counts[i] > 1) {
                inputs.addAll(skewed.slices(i, counts[i]));
            }
        }
        inputs.sort(Comparator.comparingInt(input -> input.partitions().first()));
        return inputs;
    }

    private static long mean(long[] sizes) {
        long sum = 0;
        for (long size : sizes) {
            sum = OutputSizes.sum(sum, size);
        }
        return sum / sizes.length;
    }

    private static void addGroups(long[] total, int from, int to, long taskBytes, List<PartitionRange> groups) {
        if (to > from) {
            PartitionGroups.of(Arrays.copyOfRange(total, from, to), taskBytes)
                    .forEach(group -> groups.add(new PartitionRange(from + group.first(), group.count())));
        }
    }
}
