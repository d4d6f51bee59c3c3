package io.skep.common.vector;

import org.jspecify.annotations.Nullable;

/**
 * A column's values for some rows. Immutable once it has left the code that filled it; the arrays that accessors give out
 * are shared, never to be written, and may be longer than the vector. What stands at a null position is undefined.
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
    /** The number of rows. */
    int length();

    /** A bit a row, set where the value is null (see {@link NullMask}); absent when no row is null. */
    long @Nullable [] nulls();

    default boolean isNull(int row) {
        return NullMask.isNull(nulls(), row);
    }

    default boolean mayHaveNulls() {
        return nulls() != null;
    }

    /** The rows at {@code positions[0..count)}, in that order; positions may repeat. */
    Vector select(int[] positions, int count);

    /** The rows {@code [from, from + count)}. */
    Vector slice(int from, int count);

    /** The same values without dictionary or constant encoding. */
    Vector flatten();

    /** Bytes of heap that this vector keeps alive, shared parts included. */
    long retainedBytes();
}
