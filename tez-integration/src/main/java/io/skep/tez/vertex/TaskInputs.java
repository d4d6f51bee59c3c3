package io.skep.tez.vertex;

import io.skep.llap.client.PartitionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What the tasks of a vertex read, by the sizes of what there is. */
final class TaskInputs {
    private TaskInputs() {}

    /**
     * One input a task, in the order of the partitions; no more than there are partitions. Partitions that are not skewed are grouped
     * until a group is worth a task, and has as much as each task would have if all were even where others are skewed; the tasks that this
     * saves share the skewed ones.
     *
     * @param outputs of all tasks that the vertex reads partitions of
     * @param sliceable fragments among them of which a task may read a part
     */
    static List<TaskInput> of(
            List<OutputSizes.Output> outputs, Set<Integer> sliceable, int partitions, VertexTerms terms) {
        long[] total = OutputSizes.total(outputs, partitions);
        List<OutputSizes.Output> slices = outputs.stream()
                .filter(output -> sliceable.contains(output.fragment()))
                .toList();
        SkewedPartitions skewed = new SkewedPartitions(slices, total, terms);
        long taskBytes = skewed.any() ? Math.max(terms.taskBytes(), mean(total)) : terms.taskBytes();
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
