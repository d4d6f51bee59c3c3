package io.skep.common.vector;

import org.jspecify.annotations.Nullable;

/**
 * The values of a column for some rows. It is immutable once it has left the code that filled it. The arrays that
 * accessors return are shared. They must never be written, and may be longer than the vector. The content at a null
 * position is undefined.
 */
public sealed interface Vector
        permits LongVector,
                DoubleVector,
                BytesVector,
                Decimal128Vector,
                TimestampVector,
                ListVector,
                MapVector,
                StructVector,
                UnionVector,
                DictionaryVector,
                ConstantVector {
    /** Returns the number of rows. */
    int length();

    /** Returns one bit per row, set where the value is null (see {@link NullMask}); absent when no row is null. */
    long @Nullable [] nulls();

    default boolean isNull(int row) {
        return NullMask.isNull(nulls(), row);
    }

    default boolean mayHaveNulls() {
        return nulls() != null;
    }

    /** Returns the rows at {@code positions[0..count)}, in that order. Positions may repeat. */
    Vector select(int[] positions, int count);

    /** Returns the rows {@code [from, from + count)}. */
    Vector slice(int from, int count);

    /** Returns the same values without dictionary or constant encoding. */
    Vector flatten();

    /** Returns the bytes of heap that this vector keeps alive, including shared parts. */
    long retainedBytes();
}
