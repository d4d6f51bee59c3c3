package io.skep.engine.aggregate;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** sum of integers as bigint. It wraps on overflow, as in Hive. */
final class LongSumAccumulator implements Accumulator {
    private final boolean zeroWhenEmpty;
    /** For each group the sum, followed by the number of values, so that both share a cache line. */
    private long[] states = new long[0];

    LongSumAccumulator(boolean zeroWhenEmpty) {
        this.zeroWhenEmpty = zeroWhenEmpty;
    }

    @Override
    public void ensureGroups(int count) {
        if (states.length / 2 < count) {
            states = Arrays.copyOf(states, Math.multiplyExact(2, GroupFlags.capacity(states.length / 2, count)));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        add(groupIds, (LongVector) arguments[0], rows);
    }

    private void add(int[] groupIds, LongVector argument, int rows) {
        long[] values = argument.values();
        long[] nulls = argument.nulls();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                int at = 2 * groupIds[i];
                states[at] += values[i];
                states[at + 1]++;
            }
        }
    }

    @Override
    public void addAll(int group, Vector[] arguments, int rows) {
        accumulate(group, (LongVector) arguments[0], rows, 1);
    }

    @Override
    public boolean removable() {
        return true;
    }

    @Override
    public void removeAll(int group, Vector[] arguments, int rows) {
        accumulate(group, (LongVector) arguments[0], rows, -1);
    }

    private void accumulate(int group, LongVector argument, int rows, long sign) {
        long[] values = argument.values();
        long sum = 0;
        long count = rows;
        if (argument.nulls() == null) {
            for (int i = 0; i < rows; i++) {
                sum += values[i];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                if (argument.isNull(i)) {
                    count--;
                } else {
                    sum += values[i];
                }
            }
        }
        states[2 * group] += sign * sum;
        states[2 * group + 1] += sign * count;
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        add(groupIds, (LongVector) states.flatten(), rows);
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        long[] sums = new long[count];
        long[] counts = new long[count];
        for (int i = 0; i < count; i++) {
            sums[i] = states[2 * (from + i)];
            counts[i] = states[2 * (from + i) + 1];
        }
        return new LongVector(sums, zeroWhenEmpty ? null : Groups.empty(counts, 0, count), count);
    }

    @Override
    public long retainedBytes() {
        return 8L * states.length;
    }
}
