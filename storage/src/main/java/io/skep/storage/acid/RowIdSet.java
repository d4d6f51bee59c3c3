package io.skep.storage.acid;

import java.util.Arrays;

/** The row ids of deleted rows of one write id and bucket property. Immutable. */
final class RowIdSet {
    /** The number of bits that a row id takes in a list. */
    private static final int LIST_BITS = Long.SIZE;

    /** Either sorted row ids, or one bit for each row id from {@link #first} on. */
    private final long[] words;

    private final boolean bitmap;
    private final long first;
    private final long last;

    private RowIdSet(long[] words, boolean bitmap, long first, long last) {
        this.words = words;
        this.bitmap = bitmap;
        this.first = first;
        this.last = last;
    }

    /** @param rowIds {@code rowIds[0..count)}, of which there is at least one, in any order; the array is sorted */
    static RowIdSet of(long[] rowIds, int count) {
        Arrays.sort(rowIds, 0, count);
        long first = rowIds[0];
        long last = rowIds[count - 1];
        long span = last - first + 1;
        if (span > 0 && span / LIST_BITS < count) {
            long[] bits = new long[Math.toIntExact((span + Long.SIZE - 1) / Long.SIZE)];
            for (int i = 0; i < count; i++) {
                long bit = rowIds[i] - first;
                bits[(int) (bit >> 6)] |= 1L << bit;
            }
            return new RowIdSet(bits, true, first, last);
        }
        return new RowIdSet(Arrays.copyOf(rowIds, count), false, first, last);
    }

    boolean contains(long rowId) {
        if (rowId < first || rowId > last) {
            return false;
        }
        if (!bitmap) {
            return Arrays.binarySearch(words, rowId) >= 0;
        }
        long bit = rowId - first;
        return (words[(int) (bit >> 6)] >> bit & 1) != 0;
    }

    /**
     * Finds the rows that are not in the set.
     *
     * @param from the row id of the first of {@code count} rows with consecutive row ids
     * @param live receives their positions
     * @return their number
     */
    int live(long from, int count, int[] live) {
        if (from > last || from + count <= first) {
            return run(0, count, live, 0);
        }
        return bitmap ? liveByBits(from, count, live) : liveByList(from, count, live);
    }

    /** Copies the runs of rows between deleted ones. */
    private int liveByBits(long from, int count, int[] live) {
        int kept = 0;
        int next = 0;
        int begin = (int) Math.max(0, first - from);
        int end = (int) Math.min(count, last - from + 1);
        for (int i = begin; i < end; ) {
            long bit = from + i - first;
            long rest = words[(int) (bit >> 6)] >>> bit;
            if (rest == 0) {
                i += Long.SIZE - (int) (bit & 63);
                continue;
            }
            i += Long.numberOfTrailingZeros(rest);
            if (i >= end) {
                break;
            }
            kept = run(next, i, live, kept);
            i++;
            next = i;
        }
        return run(next, count, live, kept);
    }

    private static int run(int from, int to, int[] live, int kept) {
        for (int i = from; i < to; i++) {
            live[kept + i - from] = i;
        }
        return kept + to - from;
    }

    private int liveByList(long from, int count, int[] live) {
        int found = Arrays.binarySearch(words, from);
        int next = found < 0 ? -found - 1 : found;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            while (next < words.length && words[next] < from + i) {
                next++;
            }
            if (next == words.length || words[next] != from + i) {
                live[kept++] = i;
            }
        }
        return kept;
    }

    long retainedBytes() {
        return 64 + (long) Long.BYTES * words.length;
    }
}
