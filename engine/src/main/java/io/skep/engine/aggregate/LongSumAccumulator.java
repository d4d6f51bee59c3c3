package io.skep.engine.aggregate;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** sum of integers as bigint; wraps on overflow, as Hive's does. */
final class LongSumAccumulator implements Accumulator {
    private final boolean zeroWhenEmpty;
    private long[] sums = new long[0];
    private long[] counts = new long[0];

    LongSumAccumulator(boolean zeroWhenEmpty) {
        this.zeroWhenEmpty = zeroWhenEmpty;
    }

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
        add(groupIds, (LongVector) arguments[0], rows);
    }

    private void add(int[] groupIds, LongVector argument, int rows) {
        long[] values = argument.values();
        long[] nulls = argument.nulls();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                int group = groupIds[i];
                sums[group] += values[i];
                counts[group]++;
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
        sums[group] += sign * sum;
        counts[group] += sign * count;
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
        long[] part = Arrays.copyOfRange(sums, from, from + count);
        return new LongVector(part, zeroWhenEmpty ? null : Groups.empty(counts, from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 16L * sums.length;
    }
}
