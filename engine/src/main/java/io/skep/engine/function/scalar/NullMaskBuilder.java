package io.skep.engine.function.scalar;

import io.skep.common.vector.NullMask;
import org.jspecify.annotations.Nullable;

/** A null mask to which a kernel adds nulls. The arguments' mask is copied when the first null is added. */
final class NullMaskBuilder {
    private final int rows;
    private long @Nullable [] mask;
    private boolean owned;

    NullMaskBuilder(long @Nullable [] mask, int rows) {
        this.mask = mask;
        this.rows = rows;
    }

    boolean isNull(int row) {
        return NullMask.isNull(mask, row);
    }

    void set(int row) {
        long[] own = mask;
        if (own == null || !owned) {
            own = own == null ? new long[NullMask.words(rows)] : own.clone();
            mask = own;
            owned = true;
        }
        NullMask.set(own, row);
    }

    long @Nullable [] mask() {
        return mask;
    }
}
