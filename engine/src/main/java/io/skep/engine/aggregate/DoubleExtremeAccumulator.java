package io.skep.engine.aggregate;

import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** min and max of floats and doubles. NaN is greater than all other values. */
final class DoubleExtremeAccumulator implements Accumulator {
    private final boolean greatest;
    private double[] extremes = new double[0];
    private final GroupFlags seen = new GroupFlags();

    DoubleExtremeAccumulator(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void ensureGroups(int count) {
        seen.ensure(count);
        if (extremes.length < count) {
            extremes = Arrays.copyOf(extremes, GroupFlags.capacity(extremes.length, count));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        DoubleVector vector = (DoubleVector) states.flatten();
        double[] values = vector.values();
        boolean[] flags = seen.array();
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i)) {
                int group = groupIds[i];
                if (!flags[group] || Double.compare(values[i], extremes[group]) > 0 == greatest) {
                    extremes[group] = values[i];
                    flags[group] = true;
                }
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        return new DoubleVector(Arrays.copyOfRange(extremes, from, from + count), seen.nulls(from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 8L * extremes.length + seen.bytes();
    }
}
