package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import org.jspecify.annotations.Nullable;

/** Selects rows of a vector, some of which are missing, as in the output of outer joins and outer table functions. */
public final class OuterRows {
    private OuterRows() {}

    /** Returns row {@code positions[i]} of the vector, or null if the position is -1. */
    public static Vector select(Vector vector, SqlType type, int[] positions, int count) {
        if (vector.length() == 0) {
            return VectorAppender.nulls(type, count);
        }
        long[] missing = null;
        int[] present = positions;
        for (int i = 0; i < count; i++) {
            if (positions[i] < 0) {
                if (missing == null) {
                    missing = new long[NullMask.words(count)];
                    present = positions.clone();
                }
                NullMask.set(missing, i);
                present[i] = 0;
            }
        }
        Vector selected = vector.select(present, count);
        return missing == null ? selected : masked(selected, missing, count);
    }

    private static Vector masked(Vector selected, long @Nullable [] missing, int count) {
        Vector flat = selected.flatten();
        return VectorAppender.withNulls(flat, NullMask.or(flat.nulls(), missing, count));
    }
}
