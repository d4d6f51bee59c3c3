package io.skep.engine.aggregate;

import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import java.util.List;

/** avg of integers, floats and doubles as double. */
final class DoubleAverageAccumulator implements Accumulator {
    private double[] sums = new double[0];
    private long[] counts = new long[0];

    @Override
    public void ensureGroups(int count) {
        if (sums.length < count) {
            int capacity = GroupFlags.capacity(sums.length, count);
            sums = Arrays.copyOf(sums, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        long[] nulls = arguments[0].nulls();
        if (arguments[0] instanceof LongVector integers) {
            long[] values = integers.values();
            for (int i = 0; i < rows; i++) {
                if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                    sums[groupIds[i]] += values[i];
                    counts[groupIds[i]]++;
                }
            }
            return;
        }
        double[] values = ((DoubleVector) arguments[0]).values();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                sums[groupIds[i]] += values[i];
                counts[groupIds[i]]++;
            }
        }
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        StructVector state = (StructVector) states.flatten();
        long[] partialCounts = ((LongVector) state.fields().get(0)).values();
        double[] partialSums = ((DoubleVector) state.fields().get(1)).values();
        for (int i = 0; i < rows; i++) {
            counts[groupIds[i]] += partialCounts[i];
            sums[groupIds[i]] += partialSums[i];
        }
    }

    @Override
    public Vector states(int from, int count) {
        return new StructVector(
                List.of(
                        new LongVector(Arrays.copyOfRange(counts, from, from + count), null, count),
                        new DoubleVector(Arrays.copyOfRange(sums, from, from + count), null, count)),
                null,
                count);
    }

    @Override
    public Vector results(int from, int count) {
        double[] averages = new double[count];
        for (int i = 0; i < count; i++) {
            averages[i] = sums[from + i] / counts[from + i];
        }
        return new DoubleVector(averages, Groups.empty(counts, from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 16L * sums.length;
    }
}
