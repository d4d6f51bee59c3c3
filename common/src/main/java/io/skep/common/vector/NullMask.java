package io.skep.common.vector;

import org.jspecify.annotations.Nullable;

/**
 * Null bitmaps. Bit {@code row % 64} of word {@code row / 64} is set where a row is null. An absent mask means no
 * nulls.
 */
public final class NullMask {
    private NullMask() {}

    public static int words(int rows) {
        return (rows + 63) >>> 6;
    }

    public static boolean isNull(long @Nullable [] mask, int row) {
        return mask != null && (mask[row >> 6] >>> row & 1L) != 0;
    }

    public static void set(long[] mask, int row) {
        mask[row >> 6] |= 1L << row;
    }

    /** Returns a mask with all {@code rows} set. */
    public static long[] allNull(int rows) {
        long[] mask = new long[words(rows)];
        java.util.Arrays.fill(mask, -1L);
        return mask;
    }

    /**
     * Returns the rows that are null in either mask. Absent when both are. Returns one of the arguments where possible.
     */
    public static long @Nullable [] or(long @Nullable [] left, long @Nullable [] right, int rows) {
        if (left == null) {
            return right;
        }
        if (right == null) {
            return left;
        }
        long[] both = new long[words(rows)];
        for (int i = 0; i < both.length; i++) {
            both[i] = left[i] | right[i];
        }
        return both;
    }

    public static long @Nullable [] select(long @Nullable [] mask, int[] positions, int count) {
        if (mask == null) {
            return null;
        }
        long[] selected = new long[words(count)];
        long any = 0;
        for (int i = 0; i < count; i++) {
            int row = positions[i];
            long bit = mask[row >> 6] >>> row & 1L;
            selected[i >> 6] |= bit << i;
            any |= bit;
        }
        return any == 0 ? null : selected;
    }

    public static long @Nullable [] slice(long @Nullable [] mask, int from, int count) {
        if (mask == null) {
            return null;
        }
        long[] part = new long[words(count)];
        long any = 0;
        for (int i = 0; i < count; i++) {
            int row = from + i;
            long bit = mask[row >> 6] >>> row & 1L;
            part[i >> 6] |= bit << i;
            any |= bit;
        }
        return any == 0 ? null : part;
    }

    public static int count(long @Nullable [] mask, int rows) {
        if (mask == null) {
            return 0;
        }
        int nulls = 0;
        int full = rows >> 6;
        for (int i = 0; i < full; i++) {
            nulls += Long.bitCount(mask[i]);
        }
        int rest = rows & 63;
        return rest == 0 ? nulls : nulls + Long.bitCount(mask[full] & (1L << rest) - 1);
    }

    static long bytes(long @Nullable [] mask) {
        return mask == null ? 0 : 8L * mask.length + 16;
    }
}
