package io.skep.engine.rows;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import java.util.List;

/**
 * An array from keys to groups, for one or two integer keys whose values lie close together. Dates, booleans and short
 * decimals are such keys. The slot of a row is the distance of its key from the least key. Null has the slot after the
 * others. The array adapts to the values that arrive. If they are too far apart, it is abandoned. An empty slot gives
 * no answer: the caller must look up the key in the hash table. Owned by one thread.
 */
final class DenseKeyIndex {
    static final int MAX_SLOTS = 1 << 16;
    private static final int MAX_KEYS = 2;

    /**
     * The maximum number of slots per row seen so far. The hash table lookups that are saved must pay for the array.
     */
    private static final int SLOTS_A_ROW = 4;

    private final long[] least = new long[MAX_KEYS];
    /** The number of distances that have a slot, including that of null. 0 before the first batch. */
    private final int[] sizes = new int[MAX_KEYS];

    private final long[] low = new long[MAX_KEYS];
    private final long[] high = new long[MAX_KEYS];
    private int[] groups = new int[0];
    private long rowsSeen;
    private boolean givenUp;

    int[] groups() {
        return groups;
    }

    long retainedBytes() {
        return 4L * groups.length;
    }

    /**
     * Writes the slot of each row to {@code slots[0..rows)}. Returns false, and writes nothing, if the keys have no
     * slots.
     */
    boolean find(List<Vector> keys, int rows, int[] slots) {
        if (givenUp || keys.isEmpty() || keys.size() > MAX_KEYS || !allLongs(keys)) {
            return false;
        }
        rowsSeen += rows;
        if (!cover(keys, rows)) {
            return false;
        }
        place((LongVector) keys.getFirst(), rows, slots);
        if (keys.size() > 1) {
            placeSecond((LongVector) keys.get(1), rows, slots);
        }
        return true;
    }

    private static boolean allLongs(List<Vector> keys) {
        for (Vector key : keys) {
            if (!(key instanceof LongVector)) {
                return false;
            }
        }
        return true;
    }

    /** Makes the array large enough for a batch's keys, if that is worthwhile. An enlarged array is empty. */
    private boolean cover(List<Vector> keys, int rows) {
        boolean covered = groups.length > 0;
        for (int i = 0; i < keys.size(); i++) {
            measure((LongVector) keys.get(i), rows, i);
            covered &= low[i] >= least[i] && high[i] - least[i] < sizes[i] - 1;
        }
        return covered || grow(keys.size());
    }

    /** Computes the least and the greatest value of a key, including the values of earlier batches. */
    private void measure(LongVector key, int rows, int index) {
        long[] values = key.values();
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        if (key.mayHaveNulls()) {
            long[] nulls = key.nulls();
            for (int i = 0; i < rows; i++) {
                boolean none = NullMask.isNull(nulls, i);
                from = none ? from : Math.min(from, values[i]);
                to = none ? to : Math.max(to, values[i]);
            }
        } else {
            for (int i = 0; i < rows; i++) {
                from = Math.min(from, values[i]);
                to = Math.max(to, values[i]);
            }
        }
        boolean known = sizes[index] > 0;
        if (from > to) {
            from = known ? least[index] : 0;
            to = from;
        }
        low[index] = known ? Math.min(from, least[index]) : from;
        high[index] = known ? Math.max(to, least[index] + sizes[index] - 2) : to;
    }

    private boolean grow(int keys) {
        long slots = slots(keys);
        if (slots > MAX_SLOTS) {
            givenUp = true;
            groups = new int[0];
            return false;
        }
        for (int i = 0; i < keys && groups.length > 0; i++) {
            leaveRoom(i, keys);
        }
        slots = slots(keys);
        if (slots > SLOTS_A_ROW * rowsSeen) {
            return false;
        }
        for (int i = 0; i < keys; i++) {
            least[i] = low[i];
            sizes[i] = (int) (high[i] - low[i]) + 2;
        }
        groups = new int[(int) slots];
        Arrays.fill(groups, -1);
        return true;
    }

    /** Returns the number of slots for the measured keys, or more than {@link #MAX_SLOTS} if that is too many. */
    private long slots(int keys) {
        long slots = 1;
        for (int i = 0; i < keys; i++) {
            long distance = high[i] - low[i];
            if (distance < 0 || distance >= MAX_SLOTS) {
                return Long.MAX_VALUE;
            }
            slots *= distance + 2;
        }
        return slots;
    }

    /**
     * Reserves additional room, so that values that advance in one direction, such as days, do not require a new array
     * for each batch.
     */
    private void leaveRoom(int index, int keys) {
        long room = (high[index] - low[index]) / 2;
        long lowBefore = low[index];
        long highBefore = high[index];
        if (lowBefore < least[index] && lowBefore > Long.MIN_VALUE + room) {
            low[index] -= room;
        }
        if (highBefore > least[index] + sizes[index] - 2 && highBefore < Long.MAX_VALUE - room) {
            high[index] += room;
        }
        if (slots(keys) > MAX_SLOTS) {
            low[index] = lowBefore;
            high[index] = highBefore;
        }
    }

    private void place(LongVector key, int rows, int[] slots) {
        long[] values = key.values();
        long from = least[0];
        int none = sizes[0] - 1;
        if (key.mayHaveNulls()) {
            long[] nulls = key.nulls();
            for (int i = 0; i < rows; i++) {
                slots[i] = NullMask.isNull(nulls, i) ? none : (int) (values[i] - from);
            }
        } else {
            for (int i = 0; i < rows; i++) {
                slots[i] = (int) (values[i] - from);
            }
        }
    }

    private void placeSecond(LongVector key, int rows, int[] slots) {
        long[] values = key.values();
        long from = least[1];
        int size = sizes[1];
        if (key.mayHaveNulls()) {
            long[] nulls = key.nulls();
            for (int i = 0; i < rows; i++) {
                slots[i] = slots[i] * size + (NullMask.isNull(nulls, i) ? size - 1 : (int) (values[i] - from));
            }
        } else {
            for (int i = 0; i < rows; i++) {
                slots[i] = slots[i] * size + (int) (values[i] - from);
            }
        }
    }
}
