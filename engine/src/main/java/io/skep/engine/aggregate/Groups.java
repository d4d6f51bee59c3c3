package io.skep.engine.aggregate;

import io.skep.common.vector.NullMask;
import org.jspecify.annotations.Nullable;

/** Computes null masks of groups from the number of values that each group has seen. */
final class Groups {
    private Groups() {}

    /** Returns a mask in which a group is null if its count is zero. */
    static long @Nullable [] empty(long[] counts, int from, int count) {
        return atMost(counts, 0, from, count);
    }

    /** Returns a mask in which a group is null if its count is at most {@code limit}. */
    static long @Nullable [] atMost(long[] counts, long limit, int from, int count) {
        long[] nulls = null;
        for (int i = 0; i < count; i++) {
            if (counts[from + i] <= limit) {
                nulls = nulls == null ? new long[NullMask.words(count)] : nulls;
                NullMask.set(nulls, i);
            }
        }
        return nulls;
    }
}
