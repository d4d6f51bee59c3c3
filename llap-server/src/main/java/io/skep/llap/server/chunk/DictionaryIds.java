package io.skep.llap.server.chunk;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Represents byte strings as ids of the distinct strings among them. */
final class DictionaryIds {
    /** The minimum number of rows per entry. A dictionary with fewer is not worth its lookups. */
    private static final int MIN_ROWS_PER_ENTRY = 3;

    private static final int MIN_ROWS = 64;

    private final int[] ids;
    private final long @Nullable [] nulls;
    private final int rows;
    private final BytesVector entries;

    private DictionaryIds(int[] ids, long @Nullable [] nulls, int rows, BytesVector entries) {
        this.ids = ids;
        this.nulls = nulls;
        this.rows = rows;
        this.entries = entries;
    }

    int[] ids() {
        return ids;
    }

    long @Nullable [] nulls() {
        return nulls;
    }

    int rows() {
        return rows;
    }

    BytesVector entries() {
        return entries;
    }

    boolean isWorthwhile() {
        return (long) entries.length() * MIN_ROWS_PER_ENTRY <= rows;
    }

    /**
     * Builds ids from vectors that share one dictionary of byte strings, and keeps only entries in use. Returns null
     * for other vectors.
     */
    static @Nullable DictionaryIds ofShared(List<Vector> parts) {
        if (!(parts.getFirst() instanceof DictionaryVector first)
                || !(first.dictionary() instanceof BytesVector dictionary)) {
            return null;
        }
        int rows = 0;
        for (Vector part : parts) {
            if (!(part instanceof DictionaryVector vector) || vector.dictionary() != dictionary) {
                return null;
            }
            rows += part.length();
        }
        int[] ids = new int[rows];
        int[] renamed = new int[dictionary.length()];
        int[] used = new int[Math.min(rows, dictionary.length())];
        int usedCount = 0;
        int row = 0;
        for (Vector part : parts) {
            int[] partIds = ((DictionaryVector) part).ids();
            for (int i = 0; i < part.length(); i++, row++) {
                if (part.isNull(i)) {
                    continue;
                }
                int id = partIds[i];
                if (renamed[id] == 0) {
                    used[usedCount++] = id;
                    renamed[id] = usedCount;
                }
                ids[row] = renamed[id] - 1;
            }
        }
        return new DictionaryIds(ids, Concatenation.nulls(parts, rows), rows, dictionary.select(used, usedCount));
    }

    /** Builds ids by searching for equal strings. Returns null as soon as there are too many different ones. */
    static @Nullable DictionaryIds build(BytesVector source) {
        int rows = source.length();
        if (rows < MIN_ROWS) {
            return null;
        }
        int maxEntries = rows / MIN_ROWS_PER_ENTRY;
        int mask = Integer.highestOneBit(maxEntries * 2) * 2 - 1;
        int[] table = new int[mask + 1];
        int[] entryRows = new int[maxEntries];
        int[] ids = new int[rows];
        int entries = 0;
        for (int row = 0; row < rows; row++) {
            if (source.isNull(row)) {
                continue;
            }
            int slot = hash(source, row) & mask;
            while (table[slot] != 0 && !equal(source, row, entryRows[table[slot] - 1])) {
                slot = slot + 1 & mask;
            }
            if (table[slot] == 0) {
                if (entries == maxEntries) {
                    return null;
                }
                entryRows[entries++] = row;
                table[slot] = entries;
            }
            ids[row] = table[slot] - 1;
        }
        long[] nulls = NullMask.count(source.nulls(), rows) == 0 ? null : source.nulls();
        return new DictionaryIds(ids, nulls, rows, source.select(Arrays.copyOf(entryRows, entries), entries));
    }

    private static int hash(BytesVector source, int row) {
        int hash = 1;
        byte[] data = source.data();
        int from = source.offsets()[row];
        int to = from + source.lengths()[row];
        for (int i = from; i < to; i++) {
            hash = 31 * hash + data[i];
        }
        return hash ^ hash >>> 15;
    }

    private static boolean equal(BytesVector source, int left, int right) {
        byte[] data = source.data();
        int leftFrom = source.offsets()[left];
        int rightFrom = source.offsets()[right];
        return Arrays.equals(
                data,
                leftFrom,
                leftFrom + source.lengths()[left],
                data,
                rightFrom,
                rightFrom + source.lengths()[right]);
    }
}
