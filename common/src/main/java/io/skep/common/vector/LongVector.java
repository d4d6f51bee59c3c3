package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of kind LONG. */
public final class LongVector implements Vector {
    private final long[] values;
    private final long @Nullable [] nulls;
    private final int length;

    public LongVector(long[] values, long @Nullable [] nulls, int length) {
        this.values = values;
        this.nulls = nulls;
        this.length = length;
    }

    public long[] values() {
        return values;
    }

    public long value(int row) {
        return values[row];
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
    public LongVector select(int[] positions, int count) {
        long[] selected = new long[count];
        for (int i = 0; i < count; i++) {
            selected[i] = values[positions[i]];
        }
        return new LongVector(selected, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public LongVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        long[] part = Arrays.copyOfRange(values, from, from + count);
        return new LongVector(part, NullMask.slice(nulls, from, count), count);
    }

    @Override
    public LongVector flatten() {
        return this;
    }

    @Override
    public long retainedBytes() {
        return 48 + 8L * values.length + NullMask.bytes(nulls);
    }
}
