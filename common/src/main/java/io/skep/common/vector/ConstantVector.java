package io.skep.common.vector;

import org.jspecify.annotations.Nullable;

/** One value, null or not, for every row; {@link #value} is a flat vector of one row. */
public final class ConstantVector implements Vector {
    private final Vector value;
    private final int length;
    private final long @Nullable [] nulls;

    public ConstantVector(Vector value, int length) {
        if (value.length() != 1 || value instanceof DictionaryVector || value instanceof ConstantVector) {
            throw new IllegalArgumentException("a constant is a flat vector of one row");
        }
        this.value = value;
        this.length = length;
        this.nulls = value.isNull(0) ? NullMask.allNull(length) : null;
    }

    public Vector value() {
        return value;
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
    public ConstantVector select(int[] positions, int count) {
        return new ConstantVector(value, count);
    }

    @Override
    public ConstantVector slice(int from, int count) {
        return new ConstantVector(value, count);
    }

    @Override
    public Vector flatten() {
        return value.select(new int[length], length);
    }

    @Override
    public long retainedBytes() {
        return 48 + value.retainedBytes() + NullMask.bytes(nulls);
    }
}
