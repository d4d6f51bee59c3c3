package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of kind DOUBLE. */
public final class DoubleVector implements Vector {
    private final double[] values;
    private final long @Nullable [] nulls;
    private final int length;

    public DoubleVector(double[] values, long @Nullable [] nulls, int length) {
        this.values = values;
        this.nulls = nulls;
        this.length = length;
    }

    public double[] values() {
        return values;
    }

    public double value(int row) {
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
    public DoubleVector select(int[] positions, int count) {
        double[] selected = new double[count];
        for (int i = 0; i < count; i++) {
            selected[i] = values[positions[i]];
        }
        return new DoubleVector(selected, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public DoubleVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        double[] part = Arrays.copyOfRange(values, from, from + count);
        return new DoubleVector(part, NullMask.slice(nulls, from, count), count);
    }

    @Override
    public DoubleVector flatten() {
        return this;
    }

    @Override
    public long retainedBytes() {
        return 48 + 8L * values.length + NullMask.bytes(nulls);
    }
}
