package io.skep.engine.aggregate;

import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** min and max of timestamps and day-time intervals. */
final class TimestampExtremeAccumulator implements Accumulator {
    private final boolean greatest;
    private long[] seconds = new long[0];
    private int[] nanos = new int[0];
    private final GroupFlags seen = new GroupFlags();

    TimestampExtremeAccumulator(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void ensureGroups(int count) {
        seen.ensure(count);
        if (seconds.length < count) {
            int capacity = GroupFlags.capacity(seconds.length, count);
            seconds = Arrays.copyOf(seconds, capacity);
            nanos = Arrays.copyOf(nanos, capacity);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        TimestampVector vector = (TimestampVector) states.flatten();
        boolean[] flags = seen.array();
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i)) {
                int group = groupIds[i];
                if (!flags[group] || exceeds(vector.seconds()[i], vector.nanos()[i], group) == greatest) {
                    seconds[group] = vector.seconds()[i];
                    nanos[group] = vector.nanos()[i];
                    flags[group] = true;
                }
            }
        }
    }

    private boolean exceeds(long otherSeconds, int otherNanos, int group) {
        return otherSeconds > seconds[group] || otherSeconds == seconds[group] && otherNanos > nanos[group];
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        return new TimestampVector(
                Arrays.copyOfRange(seconds, from, from + count),
                Arrays.copyOfRange(nanos, from, from + count),
                seen.nulls(from, count),
                count);
    }

    @Override
    public long retainedBytes() {
        return 12L * seconds.length + seen.bytes();
    }
}
