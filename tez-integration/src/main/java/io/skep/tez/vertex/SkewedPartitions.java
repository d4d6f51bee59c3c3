package io.skep.tez.vertex;

import io.skep.llap.client.PartitionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Partitions that are much larger than others, and their distribution over several tasks. Of the inputs that may be
 * sliced, each task reads the rows of a range of neighbouring producing tasks. Of the other inputs it reads all rows.
 */
final class SkewedPartitions {
    private final List<OutputSizes.Output> sliceable;
    private final long[] sliced;
    private final boolean[] skewed;

    /**
     * @param sliceable the outputs that may be sliced; empty when there are none
     * @param total bytes of each partition over all inputs
     */
    SkewedPartitions(List<OutputSizes.Output> sliceable, long[] total, VertexManagerPayload payload) {
        this.sliceable = List.copyOf(sliceable);
        this.sliced = OutputSizes.total(sliceable, total.length);
        this.skewed = new boolean[total.length];
        long[] ordered = sliced.clone();
        Arrays.sort(ordered);
        long median = ordered[(ordered.length - 1) / 2];
        for (int i = 0; i < skewed.length; i++) {
            // Each of the tasks reads the other inputs whole, which must not cost more than slicing gains.
            boolean worthIt = sliced[i] >= total[i] - sliced[i];
            skewed[i] = worthIt
                    && payload.skewFactor() > 0
                    && sliced[i] >= Math.max(1, payload.skewBytes())
                    && sliced[i] / payload.skewFactor() > median;
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
     * Returns how many tasks read each skewed partition. The number is limited by the partition's size, by the
     * producing tasks that have rows of it, and by the tasks that are left.
     *
     * @param tasks for all skewed partitions, at least one for each
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

    /** Divides one partition into about equal inputs for at most {@code count} tasks. */
    List<TaskInput> slices(int partition, int count) {
        List<TaskInput> inputs = new ArrayList<>();
        int from = 0;
        long before = 0;
        for (int i = 0; i < sliceable.size(); i++) {
            before = OutputSizes.sum(before, sliceable.get(i).sizes().bytes(partition));
            // The remaining outputs have no rows of the partition.
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

    /** Returns the slices by fragment. Every fragment is included, possibly with an empty slice. */
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
