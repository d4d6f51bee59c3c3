package io.skep.engine.rows;

/**
 * Maps the hashes of keys to groups. It uses open addressing with 8-byte entries: the upper half contains the lower 32
 * bits of the hash, the lower half the group + 1. At most two thirds of the slots are used, and the capacity grows by
 * half, so that a group costs 12 to 18 bytes. The 32 bits choose the slot, and the slots are in the order of these
 * bits. Therefore the directory grows in one pass from the old slots to the new ones without reading keys. It does not
 * distinguish keys with the same 32 bits. Owned by one thread.
 */
final class GroupDirectory {
    private static final int INITIAL_SLOTS = 1024;
    /** At most this number of rows is looked up one by one instead of together. */
    private static final int FEW = 24;

    /**
     * The number of slots that fit into a core's private cache. Lookups there do not wait for memory, so looking up
     * rows one after the other is faster.
     */
    private static final int CACHED = 1 << 15;

    private long[] slots = new long[INITIAL_SLOTS];
    private int groups;
    private long[] loaded = new long[0];
    private int[] slotOf = new int[0];
    private int[] waiting = new int[0];

    int groups() {
        return groups;
    }

    long retainedBytes() {
        return 8L * slots.length;
    }

    /**
     * The lower half of a hash chooses the slot, because the upper half has chosen the partition, which may be the same
     * for all rows.
     */
    private static int slot(long tag, int slots) {
        return (int) ((tag & 0xFFFFFFFFL) * slots >>> 32);
    }

    /** Returns the slot in which the search for a hash begins. */
    int first(long hash) {
        return slot(hash, slots.length);
    }

    int following(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    /** Returns the group in a slot, or -1 if the slot is empty. */
    int group(int slot) {
        return (int) slots[slot] - 1;
    }

    boolean hasTag(int slot, long hash) {
        return (int) (slots[slot] >>> 32) == (int) hash;
    }

    /** Creates a group in an empty slot and returns it. {@link #assign} has left enough empty slots. */
    int put(int slot, long hash) {
        slots[slot] = hash << 32 | ++groups;
        return groups - 1;
    }

    /**
     * Finds or creates the groups of a batch by their hash bits.
     *
     * @param newRows receives the rows that created groups, in their order
     * @return the number of groups created
     */
    int assign(long[] hashes, int rows, int[] groupIds, int[] newRows) {
        ensureSlots(groups + rows);
        if (slots.length > CACHED) {
            find(hashes, rows, groupIds);
            return makeMissing(hashes, rows, groupIds, newRows);
        }
        int added = 0;
        for (int row = 0; row < rows; row++) {
            int before = groups;
            groupIds[row] = findOrPut(first(hashes[row]), hashes[row]);
            newRows[added] = row;
            added += groups - before;
        }
        return added;
    }

    /** Creates the groups of rows for which no group was found, unless an earlier row has created the group. */
    private int makeMissing(long[] hashes, int rows, int[] groupIds, int[] newRows) {
        int added = 0;
        for (int row = 0; row < rows; row++) {
            if (groupIds[row] < 0) {
                int before = groups;
                groupIds[row] = findOrPut(slotOf[row], hashes[row]);
                newRows[added] = row;
                added += groups - before;
            }
        }
        return added;
    }

    /**
     * Writes the groups of rows whose tags are found. The others get -1 and a slot from which to continue the search.
     * All slots before that one have other tags.
     */
    private void find(long[] hashes, int rows, int[] groupIds) {
        if (waiting.length < rows) {
            waiting = new int[rows];
            slotOf = new int[rows];
            loaded = new long[rows];
        }
        int size = slots.length;
        for (int row = 0; row < rows; row++) {
            slotOf[row] = slot(hashes[row], size);
        }
        // A separate loop. Nothing in it depends on the loaded values, so the processor waits for many cache lines at a
        // time.
        for (int row = 0; row < rows; row++) {
            loaded[row] = slots[slotOf[row]];
        }
        int left = 0;
        for (int row = 0; row < rows; row++) {
            long entry = loaded[row];
            int difference = (int) (entry >>> 32) ^ (int) hashes[row];
            int other = (difference | -difference) >>> 31;
            int taken = -(int) entry >>> 31;
            groupIds[row] = (int) entry - 1 | -other;
            waiting[left] = row;
            left += other & taken;
        }
        while (left > FEW) {
            left = step(hashes, left, groupIds);
        }
    }

    /** Examines the next slot of each waiting row. Returns the number of rows that must continue. */
    private int step(long[] hashes, int count, int[] groupIds) {
        long[] entries = slots;
        int last = entries.length - 1;
        for (int i = 0; i < count; i++) {
            int row = waiting[i];
            int slot = slotOf[row] + 1 & (slotOf[row] - last >> 31);
            slotOf[row] = slot;
            loaded[i] = entries[slot];
        }
        int left = 0;
        for (int i = 0; i < count; i++) {
            int row = waiting[i];
            long entry = loaded[i];
            int difference = (int) (entry >>> 32) ^ (int) hashes[row];
            int other = (difference | -difference) >>> 31;
            int taken = -(int) entry >>> 31;
            groupIds[row] = (int) entry - 1 | -other;
            waiting[left] = row;
            left += other & taken;
        }
        return left;
    }

    private int findOrPut(int from, long hash) {
        long[] entries = slots;
        int slot = from;
        long entry = entries[slot];
        while (entry != 0 && (int) (entry >>> 32) != (int) hash) {
            slot = slot + 1 == entries.length ? 0 : slot + 1;
            entry = entries[slot];
        }
        return entry == 0 ? put(slot, hash) : (int) entry - 1;
    }

    private void ensureSlots(int wanted) {
        int size = slots.length;
        if (wanted <= size / 3L * 2) {
            return;
        }
        long[] before = slots;
        slots = new long[(int) Math.min(Integer.MAX_VALUE - 8, Math.max(wanted / 2L * 3 + 16, size + size / 2L))];
        for (long entry : before) {
            if (entry != 0) {
                insert(entry);
            }
        }
    }

    private void insert(long entry) {
        long[] entries = slots;
        int slot = slot(entry >>> 32, entries.length);
        while (entries[slot] != 0) {
            slot = slot + 1 == entries.length ? 0 : slot + 1;
        }
        entries[slot] = entry;
    }
}
