package io.skep.engine.rows;

/**
 * Divides rows with their hashes into parts, one for each piece of a directory that fits into a core's cache.
 * Consecutively inserted rows then go to the same piece. Within a part, later rows come first.
 */
final class RadixPartitioner {
    /** The number of slots of a piece: half a megabyte. */
    private static final int PIECE = 1 << 16;

    private static final int MAX_PARTS = 256;
    private static final int BLOCK = 1024;

    /**
     * Returns the hashes of rows {@code [from, to)} at {@code [0, to - from)} of an array that is valid until the next
     * call.
     */
    @FunctionalInterface
    interface Hashes {
        long[] of(int from, int to);
    }

    private final long[] hashes;
    private final int[] rows;

    /** @param left rows that are left out; an empty array leaves out none */
    RadixPartitioner(Hashes source, boolean[] left, int rowCount, int slots) {
        int parts = Math.min(MAX_PARTS, slots / PIECE + 1);
        int[] starts = starts(source, left, rowCount, parts);
        this.hashes = new long[starts[parts]];
        this.rows = new int[starts[parts]];
        scatter(source, left, rowCount, starts);
    }

    /** Returns the maximum bytes per row. */
    static long bytesARow() {
        return Long.BYTES + Integer.BYTES;
    }

    /** The lower half of the hash chooses the slot, and therefore the piece. */
    private static int part(long hash, int parts) {
        return (int) ((hash & 0xFFFFFFFFL) * parts >>> 32);
    }

    private static int[] starts(Hashes source, boolean[] left, int rowCount, int parts) {
        int[] starts = new int[parts + 1];
        for (int from = 0; from < rowCount; from += BLOCK) {
            int to = Math.min(rowCount, from + BLOCK);
            long[] block = source.of(from, to);
            for (int row = from; row < to; row++) {
                starts[part(block[row - from], parts) + 1] += left.length > 0 && left[row] ? 0 : 1;
            }
        }
        for (int i = 0; i < parts; i++) {
            starts[i + 1] += starts[i];
        }
        return starts;
    }

    private void scatter(Hashes source, boolean[] left, int rowCount, int[] starts) {
        int parts = starts.length - 1;
        int[] next = starts.clone();
        for (int to = rowCount; to > 0; to -= BLOCK) {
            int from = Math.max(0, to - BLOCK);
            long[] block = source.of(from, to);
            for (int row = to - 1; row >= from; row--) {
                if (left.length == 0 || !left[row]) {
                    long hash = block[row - from];
                    int place = next[part(hash, parts)]++;
                    hashes[place] = hash;
                    rows[place] = row;
                }
            }
        }
    }

    int count() {
        return rows.length;
    }

    long hash(int index) {
        return hashes[index];
    }

    int row(int index) {
        return rows[index];
    }
}
