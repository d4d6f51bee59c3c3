package io.skep.engine.aggregate;

import io.skep.common.vector.NullMask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Records which groups have seen a value. */
final class GroupFlags {
    private boolean[] seen = new boolean[0];

    boolean[] array() {
        return seen;
    }

    void ensure(int groups) {
        if (seen.length < groups) {
            seen = Arrays.copyOf(seen, capacity(seen.length, groups));
        }
    }

    /** Returns a capacity of at least {@code needed} that grows by half of the present capacity. */
    static int capacity(int now, int needed) {
        return Math.max(Math.max(16, needed), now + (now >> 1));
    }

    /** Returns the null mask of the groups. A group is null if it has seen no value. */
    long @Nullable [] nulls(int from, int count) {
        long[] nulls = null;
        for (int i = 0; i < count; i++) {
            if (!seen[from + i]) {
                nulls = nulls == null ? new long[NullMask.words(count)] : nulls;
                NullMask.set(nulls, i);
            }
        }
        return nulls;
    }

    long bytes() {
        return seen.length;
    }
}
