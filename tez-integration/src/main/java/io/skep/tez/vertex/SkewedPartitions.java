package io.skep.tez.vertex;

import io.skep.llap.client.PartitionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Partitions that are much larger than others, and how they are dealt out over several tasks: each gets the rows of some of the producing
 * tasks, neighbours in their order, of the inputs that may be sliced, and all rows of the others.
 */
final class SkewedPartitions {
    private final List<OutputSizes.Output> sliceable;
    private final long[] sliced;
    private final boolean[] skewed;

    /**
     * @param sliceable the outputs that may be sliced; empty when there are none
     * @param total bytes of each partition over all inputs
     */
    SkewedPartitions(List<OutputSizes.Output> sliceable, long[] total, VertexTerms terms) {
        this.sliceable = List.copyOf(sliceable);
        this.sliced = OutputSizes.total(sliceable, total.length);
        this.skewed = new boolean[total.length];
        long[] ordered = sliced.clone();
        Arrays.sort(ordered);
        long median = ordered[(ordered.length - 1) / 2];
        for (int i = 0; i < skewed.length; i++) {
            // What is read whole is read by each of the tasks, which must not cost more than it gives.
            boolean worthIt = sliced[i] >= total[i] - sliced[i];
            skewed[i] = worthIt
                    && terms.skewFactor() > 0
                    && sliced[i] >= Math.max(1, terms.skewBytes())
                    && sliced[i] / terms.skewFactor() > median;
        }
    }

    boolean any() {
        for (boolean one : skewed) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    boolean contains(int partition) {
        return skewed[partition];
    }

    /**
     * How many tasks read each skewed partition: as many as its size is worth, and there are producing tasks with rows of it, as
     * long as there are tasks.
     *
     * @param tasks for all of them, one for each at least
     * @return by partition; 0 for one that is not skewed
     */
    int[] counts(int tasks, long taskBytes) {
        int[] counts = new int[skewed.length];
        int left = tasks;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = skewed[i] ? 1 : 0;
            left -= counts[i];
        }
        for (; left > 0; left--) {
            int next = -1;
            for (int i = 0; i < counts.length; i++) {
                boolean more = counts[i] > 0 && counts[i] < most(i, taskBytes);
                if (more && (next < 0 || sliced[i] / counts[i] > sliced[next] / counts[next])) {
                    next = i;
                }
            }
            if (next < 0) {
                break;
            }
            counts[next]++;
        }
        return counts;
    }

    private long most(int partition, long taskBytes) {
        long producers = sliceable.stream()
                .filter(output -> output.sizes().bytes(partition) > 0)
                .count();
        return Math.min(producers, Math.ceilDiv(sliced[partition], taskBytes));
    }

    /** What the tasks read of one partition, about the same each; {@code count} tasks at most. */
    List<TaskInput> slices(int partition, int count) {
        List<TaskInput> inputs = new ArrayList<>();
        int from = 0;
        long before = 0;
        for (int i = 0; i < sliceable.size(); i++) {
            before = OutputSizes.sum(before, sliceable.get(i).sizes().bytes(partition));
            // What follows has no rows of the partition.
            boolean last = before >= sliced[partition];
            if (last || before >= sliced[partition] * (inputs.size() + 1.0) / count) {
                int to = last ? sliceable.size() : i + 1;
                inputs.add(new TaskInput(PartitionRange.of(partition), Set.of(), tasks(from, to)));
                from = to;
            }
            if (last) {
                break;
            }
        }
        return inputs;
    }

    /** By fragment; each is there, if only with no task. */
    private Map<Integer, TaskInput.Slice> tasks(int from, int to) {
        Map<Integer, TaskInput.Slice> slices = new HashMap<>();
        for (int i = 0; i < sliceable.size(); i++) {
            OutputSizes.Output output = sliceable.get(i);
            slices.putIfAbsent(output.fragment(), new TaskInput.Slice(0, 0));
            if (i >= from && i < to) {
                slices.merge(
                        output.fragment(),
                        new TaskInput.Slice(output.task(), output.task() + 1),
                        SkewedPartitions::joined);
            }
        }
        return slices;
    }

    private static TaskInput.Slice joined(TaskInput.Slice known, TaskInput.Slice next) {
        return known.to() == known.from() ? next : new TaskInput.Slice(known.from(), next.to());
    }
}
