package io.skep.engine.filter;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.RowHash;
import java.util.List;

/**
 * A blocked Bloom filter over {@link RowHash}. Each value sets four bits of one 64-bit word, so that a test costs one
 * memory access. With one word for four values, about one in a hundred other values passes (Putze, Sanders, Singler:
 * Cache-, Hash- and Space-Efficient Bloom Filters, 2007).
 */
final class BloomSet implements ValueSet {
    private static final int VALUES_A_WORD = 4;

    private final long[] words;
    private final int mask;

    private BloomSet(int words) {
        this.words = new long[words];
        this.mask = words - 1;
    }

    static BloomSet of(Vector keys, int rows, boolean nulls) {
        BloomSet set = new BloomSet(words(rows));
        long[] hashes = new long[rows];
        RowHash.hash(List.of(keys), rows, hashes);
        for (int row = 0; row < rows; row++) {
            if (!nulls || !keys.isNull(row)) {
                set.words[set.word(hashes[row])] |= bits(hashes[row]);
            }
        }
        return set;
    }

    private static int words(long rows) {
        return (int) Math.max(16, Long.highestOneBit(Math.max(1, rows / VALUES_A_WORD) * 2 - 1));
    }

    static long bytes(long rows) {
        return 8L * words(rows);
    }

    private int word(long hash) {
        return (int) (hash >>> 32) & mask;
    }

    private static long bits(long hash) {
        return 1L << hash | 1L << (hash >>> 6) | 1L << (hash >>> 12) | 1L << (hash >>> 18);
    }

    private int test(long hash) {
        long wanted = bits(hash);
        return (words[word(hash)] & wanted) == wanted ? 1 : 0;
    }

    @Override
    public int retainFlat(Vector flat, int[] rows, int count) {
        int kept = 0;
        if (flat instanceof LongVector longs) {
            long[] values = longs.values();
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                rows[kept] = row;
                kept += test(RowHash.mix(values[row]));
            }
            return kept;
        }
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            rows[kept] = row;
            kept += test(RowHash.hash(flat, row));
        }
        return kept;
    }

    @Override
    public long retainedBytes() {
        return 8L * words.length;
    }
}
