package io.skep.engine.filter;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/**
 * An exact set of 64-bit values that lie close together. It has a bit for each value between the least and the
 * greatest.
 */
final class BitmapSet implements ValueSet {
    private final long least;
    private final long span;
    private final long[] words;

    /** @param span greatest minus least value, not negative */
    private BitmapSet(long least, long span) {
        this.least = least;
        this.span = span;
        this.words = new long[(int) (span >>> 6) + 1];
    }

    /** @param nulls whether there may be null rows, which are left out */
    static BitmapSet of(LongVector keys, int rows, boolean nulls, long least, long greatest) {
        BitmapSet set = new BitmapSet(least, greatest - least);
        long[] values = keys.values();
        for (int row = 0; row < rows; row++) {
            if (!nulls || !keys.isNull(row)) {
                long at = values[row] - least;
                set.words[(int) (at >>> 6)] |= 1L << at;
            }
        }
        return set;
    }

    static long bytes(long span) {
        return 8 * ((span >>> 6) + 1);
    }

    /** Returns the number of values in the set. */
    int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    /** Returns the values, ascending. */
    long[] values() {
        long[] values = new long[size()];
        int count = 0;
        for (int i = 0; i < words.length; i++) {
            for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                values[count++] = least + 64L * i + Long.numberOfTrailingZeros(rest);
            }
        }
        return values;
    }

    @Override
    public int retainFlat(Vector flat, int[] rows, int count) {
        long[] values = ((LongVector) flat).values();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            long at = values[row] - least;
            // A value below the least is above the span as an unsigned number.
            boolean inside = at + Long.MIN_VALUE <= span + Long.MIN_VALUE;
            long word = words[inside ? (int) (at >>> 6) : 0];
            rows[kept] = row;
            kept += inside ? (int) (word >>> at) & 1 : 0;
        }
        return kept;
    }

    @Override
    public long retainedBytes() {
        return 8L * words.length;
    }
}
