package io.skep.engine.aggregate;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** min and max of values of kind LONG. */
final class LongExtremeAccumulator implements Accumulator {
    private final boolean greatest;
    private long[] extremes = new long[0];
    private final GroupFlags seen = new GroupFlags();

    LongExtremeAccumulator(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void ensureGroups(int count) {
        seen.ensure(count);
        int before = extremes.length;
        if (before < count) {
            extremes = Arrays.copyOf(extremes, GroupFlags.capacity(before, count));
            Arrays.fill(extremes, before, extremes.length, greatest ? Long.MIN_VALUE : Long.MAX_VALUE);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        LongVector vector = (LongVector) states.flatten();
        long[] values = vector.values();
        long[] nulls = vector.nulls();
        boolean[] flags = seen.array();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                int group = groupIds[i];
                extremes[group] =
                        greatest ? Math.max(extremes[group], values[i]) : Math.min(extremes[group], values[i]);
                flags[group] = true;
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        return new LongVector(Arrays.copyOfRange(extremes, from, from + count), seen.nulls(from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 8L * extremes.length + seen.bytes();
    }
}
