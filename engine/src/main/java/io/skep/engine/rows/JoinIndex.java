package io.skep.engine.rows;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.List;

/**
 * A hash directory over the key columns of a join's build side. It uses open addressing with 8-byte entries. The upper
 * half is a tag: 32 bits of the hash that do not choose the slot. The lower half is the first row with the key, + 1.
 * Three quarters of the slots are used. Rows with equal keys are chained in their order in an array. The array exists
 * only if there are duplicates, so a row costs 10.7 bytes, or 14.7 with duplicates. Read by many threads, each through
 * its own {@link Lookup}.
 */
public final class JoinIndex {
    private static final int BLOCK = 1024;
    /** At most this number of rows is looked up one by one instead of together. */
    private static final int FEW = 24;

    /**
     * The number of slots that fit into a core's private cache. Lookups there do not wait for memory, so looking up
     * rows one after the other is faster.
     */
    private static final int CACHED = 1 << 15;

    /** The number of slots above which rows are put in the order of the slots before they are inserted. */
    private static final int PIECEMEAL = 1 << 21;

    private static final int[] NONE = new int[0];

    private final List<Vector> keys;
    private final long[] directory;
    /** The next row with the same key, + 1. */
    private int[] next = NONE;

    /**
     * @param keys at least one flat column
     * @param nullSafe for each key whether null equals null
     */
    public JoinIndex(List<Vector> keys, List<Boolean> nullSafe, int rows) {
        this.keys = List.copyOf(keys);
        this.directory = new long[slots(rows)];
        insert(unmatchable(nullSafe, rows), rows);
    }

    private static int slots(long rows) {
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(16, rows + rows / 3 + 1));
    }

    /** Returns the maximum bytes of an index of that number of rows. */
    public static long bytes(long rows) {
        return 8L * slots(rows) + 4 * rows;
    }

    /** Returns the maximum temporary bytes that are needed to build the index, in addition to those of the index. */
    public static long temporaryBytes(long rows) {
        return (RadixPartitioner.bytesARow() + Long.BYTES) * rows;
    }

    /** Returns the bytes of the index, without the rows. */
    public long retainedBytes() {
        return 8L * directory.length + 4L * next.length;
    }

    /** Whether all keys are distinct. */
    public boolean unique() {
        return next.length == 0;
    }

    /**
     * The lower half of the hash chooses the slot, because the upper half has chosen the partition, which may be the
     * same for all rows.
     */
    private static int slot(long hash, int slots) {
        return (int) ((hash & 0xFFFFFFFFL) * slots >>> 32);
    }

    /**
     * Returns the rows with a null in a key for which null does not equal null. The array is empty if there are no such
     * rows.
     */
    private boolean[] unmatchable(List<Boolean> nullSafe, int rows) {
        boolean[] unmatchable = new boolean[0];
        for (int key = 0; key < keys.size(); key++) {
            if (!nullSafe.get(key) && keys.get(key).mayHaveNulls()) {
                unmatchable = unmatchable.length == 0 ? new boolean[rows] : unmatchable;
                for (int row = 0; row < rows; row++) {
                    unmatchable[row] |= keys.get(key).isNull(row);
                }
            }
        }
        return unmatchable;
    }

    /**
     * Inserts rows from the last to the first, so that chains are in the order of the rows. A large directory is filled
     * piece by piece.
     */
    private void insert(boolean[] unmatchable, int rows) {
        RadixPartitioner.Hashes hashes = hashes(rows);
        if (directory.length > PIECEMEAL) {
            RadixPartitioner order = new RadixPartitioner(hashes, unmatchable, rows, directory.length);
            for (int i = 0; i < order.count(); i++) {
                insert(order.row(i), order.hash(i), rows);
            }
            return;
        }
        for (int to = rows; to > 0; to -= BLOCK) {
            int from = Math.max(0, to - BLOCK);
            long[] block = hashes.of(from, to);
            for (int row = to - 1; row >= from; row--) {
                if (unmatchable.length == 0 || !unmatchable[row]) {
                    insert(row, block[row - from], rows);
                }
            }
        }
    }

    private RadixPartitioner.Hashes hashes(int rows) {
        long[] block = new long[BLOCK];
        if (keys.size() == 1 && keys.getFirst() instanceof LongVector v && !v.mayHaveNulls()) {
            long[] values = v.values();
            return (from, to) -> {
                RowHash.hash(values, from, to - from, block);
                return block;
            };
        }
        long[] all = new long[rows];
        RowHash.hash(keys, rows, all);
        return (from, to) -> {
            System.arraycopy(all, from, block, 0, to - from);
            return block;
        };
    }

    private void insert(int row, long hash, int rows) {
        long[] entries = directory;
        int slot = slot(hash, entries.length);
        for (long entry = entries[slot]; entry != 0; entry = entries[slot]) {
            if (entry >>> 32 == hash >>> 32 && equal(row, (int) entry - 1)) {
                next = next.length == 0 ? new int[rows] : next;
                next[row] = (int) entry;
                break;
            }
            slot = slot + 1 == entries.length ? 0 : slot + 1;
        }
        entries[slot] = hash & 0xFFFFFFFF00000000L | row + 1;
    }

    private boolean equal(int left, int right) {
        for (Vector key : keys) {
            if (!RowEquality.equal(key, left, key, right)) {
                return false;
            }
        }
        return true;
    }

    public Lookup newLookup() {
        return new Lookup(this);
    }

    /** Looks up probe rows. Owned by one thread. */
    public static final class Lookup {
        private final JoinIndex index;
        private long[] hashes = new long[0];
        private int[] waiting = NONE;
        private int[] slots = NONE;
        private long[] loaded = new long[0];
        private int found;

        private Lookup(JoinIndex index) {
            this.index = index;
        }

        /**
         * Finds the first build row of each of the given probe rows. Moves the rows that have one, in any order, to the
         * front of {@code rows} and returns their number. Nulls equal nulls, so the caller must leave out rows for
         * which they must not.
         *
         * @param probeKeys flat columns
         * @param length length of the columns
         * @param first receives the build rows
         */
        public int find(List<Vector> probeKeys, int length, int[] rows, int count, int[] first) {
            if (hashes.length < length) {
                hashes = new long[length];
                waiting = new int[length];
                slots = new int[length];
                loaded = new long[length];
            }
            RowHash.hash(probeKeys, length, hashes);
            boolean cached = index.directory.length <= CACHED;
            int tagged = cached ? findTagsOneByOne(rows, count, first) : findTags(rows, count, first);
            return allEqual(probeKeys, rows, first, tagged) ? tagged : compareOneByOne(probeKeys, rows, first, tagged);
        }

        private int findTagsOneByOne(int[] rows, int count, int[] first) {
            int size = index.directory.length;
            int tagged = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int candidate = walk(slot(hashes[row], size), hashes[row]);
                rows[tagged] = row;
                first[tagged] = candidate;
                tagged += candidate >>> 31 ^ 1;
            }
            return tagged;
        }

        /**
         * Finds rows by their tags. All rows are searched in their first slots, then those that met another tag in the
         * next slots, and so on.
         */
        private int findTags(int[] rows, int count, int[] first) {
            int size = index.directory.length;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                waiting[i] = row;
                slots[i] = slot(hashes[row], size);
            }
            found = 0;
            int left = step(count, rows, first);
            while (left > FEW) {
                left = step(left, rows, first);
            }
            for (int i = 0; i < left; i++) {
                int candidate = walk(slots[i], hashes[waiting[i]]);
                rows[found] = waiting[i];
                first[found] = candidate;
                found += candidate >= 0 ? 1 : 0;
            }
            return found;
        }

        /** Examines one slot of each waiting row. Returns the number of rows that must examine the next slot. */
        private int step(int count, int[] rows, int[] first) {
            load(count);
            int last = index.directory.length - 1;
            int kept = found;
            int left = 0;
            for (int i = 0; i < count; i++) {
                int row = waiting[i];
                int slot = slots[i];
                long entry = loaded[i];
                int difference = (int) ((entry ^ hashes[row]) >>> 32);
                int other = (difference | -difference) >>> 31;
                int taken = -(int) entry >>> 31;
                waiting[left] = row;
                slots[left] = slot + 1 & (slot - last >> 31);
                left += other & taken;
                rows[kept] = row;
                first[kept] = (int) entry - 1;
                kept += (other ^ 1) & taken;
            }
            found = kept;
            return left;
        }

        /**
         * Loads the entries of all waiting rows. It is a separate loop in which nothing depends on the loaded values,
         * so the processor waits for many cache lines at a time. Stores to addresses that depend on them, as in
         * {@link #step}, would prevent that.
         */
        private void load(int count) {
            long[] entries = index.directory;
            for (int i = 0; i < count; i++) {
                loaded[i] = entries[slots[i]];
            }
        }

        /** Returns the row in the first slot from {@code from} on that has the hash's tag, or -1. */
        private int walk(int from, long hash) {
            long[] entries = index.directory;
            int slot = from;
            long entry = entries[slot];
            while (entry != 0 && (entry ^ hash) >>> 32 != 0) {
                slot = slot + 1 == entries.length ? 0 : slot + 1;
                entry = entries[slot];
            }
            return (int) entry - 1;
        }

        private boolean allEqual(List<Vector> probeKeys, int[] rows, int[] first, int count) {
            for (int key = 0; key < probeKeys.size(); key++) {
                if (!RowEquality.allEqual(probeKeys.get(key), rows, index.keys.get(key), first, count)) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Called if some rows have met another key with the same tag. Each row continues its search after such keys.
         */
        private int compareOneByOne(List<Vector> probeKeys, int[] rows, int[] first, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int candidate = firstEqual(probeKeys, row);
                rows[kept] = row;
                first[kept] = candidate;
                kept += candidate >= 0 ? 1 : 0;
            }
            return kept;
        }

        private int firstEqual(List<Vector> probeKeys, int row) {
            long[] entries = index.directory;
            int slot = slot(hashes[row], entries.length);
            for (long entry = entries[slot]; entry != 0; entry = entries[slot]) {
                if ((entry ^ hashes[row]) >>> 32 == 0 && equal(probeKeys, row, (int) entry - 1)) {
                    return (int) entry - 1;
                }
                slot = slot + 1 == entries.length ? 0 : slot + 1;
            }
            return -1;
        }

        private boolean equal(List<Vector> probeKeys, int probe, int build) {
            for (int key = 0; key < probeKeys.size(); key++) {
                if (!RowEquality.equal(probeKeys.get(key), probe, index.keys.get(key), build)) {
                    return false;
                }
            }
            return true;
        }

        /** Advances to the next build row with the same key. Keeps the rows that have one and returns their number. */
        public int advance(int[] rows, int[] builds, int count) {
            int[] next = index.next;
            if (next.length == 0) {
                return 0;
            }
            // A separate loop for the same reason as in load().
            for (int i = 0; i < count; i++) {
                slots[i] = next[builds[i]] - 1;
            }
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int following = slots[i];
                rows[kept] = rows[i];
                builds[kept] = following;
                kept += (following >>> 31) ^ 1;
            }
            return kept;
        }
    }
}
