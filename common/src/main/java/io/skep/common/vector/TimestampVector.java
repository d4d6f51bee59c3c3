package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of kind TIMESTAMP: seconds since 1970-01-01 00:00:00 and nanoseconds of the second (0 to 999,999,999). */
public final class TimestampVector implements Vector {
    private final long[] seconds;
    private final int[] nanos;
    private final long @Nullable [] nulls;
    private final int length;

    public TimestampVector(long[] seconds, int[] nanos, long @Nullable [] nulls, int length) {
        this.seconds = seconds;
        this.nanos = nanos;
        this.nulls = nulls;
        this.length = length;
    }

    public long[] seconds() {
        return seconds;
    }

    public int[] nanos() {
        return nanos;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public long @Nullable [] nulls() {
        return nulls;
    }

    @Override
    public TimestampVector select(int[] positions, int count) {
        long[] newSeconds = new long[count];
        int[] newNanos = new int[count];
        for (int i = 0; i < count; i++) {
            newSeconds[i] = seconds[positions[i]];
            newNanos[i] = nanos[positions[i]];
        }
        return new TimestampVector(newSeconds, newNanos, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public TimestampVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        return new TimestampVector(
                Arrays.copyOfRange(seconds, from, from + count),
                Arrays.copyOfRange(nanos, from, from + count),
                NullMask.slice(nulls, from, count),
                count);
    }

    @Override
    public TimestampVector flatten() {
        return this;
    }

    @Override
    public long retainedBytes() {
        return 64 + 8L * seconds.length + 4L * nanos.length + NullMask.bytes(nulls);
    }
}
