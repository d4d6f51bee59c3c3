package io.skep.engine.aggregate;

import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** sum of floats and doubles as double. */
final class DoubleSumAccumulator implements Accumulator {
    private final boolean zeroWhenEmpty;
    private double[] sums = new double[0];
    private final GroupFlags seen = new GroupFlags();

    DoubleSumAccumulator(boolean zeroWhenEmpty) {
        this.zeroWhenEmpty = zeroWhenEmpty;
    }

    @Override
    public void ensureGroups(int count) {
        seen.ensure(count);
        if (sums.length < count) {
            sums = Arrays.copyOf(sums, GroupFlags.capacity(sums.length, count));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        add(groupIds, (DoubleVector) arguments[0], rows);
    }

    private void add(int[] groupIds, DoubleVector argument, int rows) {
        double[] values = argument.values();
        long[] nulls = argument.nulls();
        boolean[] flags = seen.array();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                int group = groupIds[i];
                sums[group] += values[i];
                flags[group] = true;
            }
        }
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        add(groupIds, (DoubleVector) states.flatten(), rows);
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        double[] part = Arrays.copyOfRange(sums, from, from + count);
        return new DoubleVector(part, zeroWhenEmpty ? null : seen.nulls(from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 8L * sums.length + seen.bytes();
    }
}
