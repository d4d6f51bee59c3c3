package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.RowEquality;
import io.skep.engine.rows.RowHash;
import java.util.List;

/**
 * The rows of a join's build side with a hash directory over their keys. A directory entry holds the first row of a chain
 * (lower half, + 1) and one of 16 tag bits for each row of the chain (upper bits), so that most probes without a match end
 * without looking at a row. Read by many threads; {@link #matched} is written by them without order, always with true.
 */
final class JoinTable {
    private static final int TAG_SHIFT = 48;

    private final Batch rows;
    private final List<Vector> keys;
    private final long[] directory;
    private final int[] next;
    private final int[] hashBits;
    private final boolean[] matched;
    private boolean unique = true;

    JoinTable(Batch rows, JoinSpec spec) {
        this.rows = rows;
        this.keys = spec.rightKeys(rows);
        int count = rows.rowCount();
        this.matched = new boolean[spec.keepsRight() ? count : 0];
        if (keys.isEmpty()) {
            directory = new long[0];
            next = new int[0];
            hashBits = new int[0];
            return;
        }
        directory = new long[slots(count)];
        next = new int[count];
        hashBits = new int[count];
        insert(spec, count);
    }

    private static int slots(int rows) {
        return Math.max(64, Integer.highestOneBit(Math.max(1, rows) * 2 - 1));
    }

    /** Bytes of the directory beside the rows. */
    static long directoryBytes(long rows) {
        return 8L * slots((int) Math.min(rows, 1 << 29)) + 9 * rows;
    }

    private void insert(JoinSpec spec, int count) {
        long[] hashes = new long[count];
        RowHash.hash(keys, count, hashes);
        boolean[] unmatchable = unmatchable(spec, count);
        int mask = directory.length - 1;
        // From the last row to the first, so that chains are in the order of the rows.
        for (int row = count - 1; row >= 0; row--) {
            if (unmatchable.length > 0 && unmatchable[row]) {
                continue;
            }
            long hash = hashes[row];
            int slot = (int) hash & mask;
            long entry = directory[slot];
            next[row] = (int) entry;
            unique = unique && !chained((int) entry, (int) (hash >>> 32));
            hashBits[row] = (int) (hash >>> 32);
            directory[slot] = entry & 0xFFFF000000000000L | 1L << TAG_SHIFT + (hash >>> 28 & 15) | row + 1;
        }
    }

    /** Whether a chain holds a row with these hash bits. */
    private boolean chained(int first, int bits) {
        for (int row = first - 1; row >= 0; row = next[row] - 1) {
            if (hashBits[row] == bits) {
                return true;
            }
        }
        return false;
    }

    /** Whether no probe row has more than one match. */
    boolean unique() {
        return unique;
    }

    /** Rows with a null in a key where null equals nothing; empty when there are none. */
    private boolean[] unmatchable(JoinSpec spec, int count) {
        boolean[] unmatchable = new boolean[0];
        for (int key = 0; key < keys.size(); key++) {
            if (!spec.nullSafe().get(key) && keys.get(key).mayHaveNulls()) {
                unmatchable = unmatchable.length == 0 ? new boolean[count] : unmatchable;
                for (int row = 0; row < count; row++) {
                    unmatchable[row] |= keys.get(key).isNull(row);
                }
            }
        }
        return unmatchable;
    }

    Batch rows() {
        return rows;
    }

    /** The values of one key, flat. */
    Vector key(int position) {
        return keys.get(position);
    }

    int rowCount() {
        return rows.rowCount();
    }

    boolean hashed() {
        return !keys.isEmpty();
    }

    /** Finds the first candidate of each of some probe rows; keeps those that have one and gives their number. */
    int start(long[] hashes, int[] probeRows, int[] candidates, int count) {
        int mask = directory.length - 1;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int row = probeRows[i];
            long hash = hashes[row];
            long entry = directory[(int) hash & mask];
            probeRows[kept] = row;
            candidates[kept] = (int) entry - 1;
            kept += (int) (entry >>> TAG_SHIFT + (hash >>> 28 & 15)) & 1;
        }
        return kept;
    }

    /** Goes on to the next candidate of each probe row; keeps those that have one and gives their number. */
    int advance(int[] probeRows, int[] candidates, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int following = next[candidates[i]] - 1;
            probeRows[kept] = probeRows[i];
            candidates[kept] = following;
            kept += following >= 0 ? 1 : 0;
        }
        return kept;
    }

    /** Writes the pairs whose keys are equal to the out arrays and gives their number. */
    int match(
            List<Vector> probeKeys,
            long[] hashes,
            int[] probeRows,
            int[] candidates,
            int count,
            int[] outProbe,
            int[] outBuild) {
        int kept = 0;
        if (keys.size() == 1
                && keys.getFirst() instanceof LongVector build
                && probeKeys.getFirst() instanceof LongVector probe
                && !build.mayHaveNulls()
                && !probe.mayHaveNulls()) {
            long[] buildValues = build.values();
            long[] probeValues = probe.values();
            for (int i = 0; i < count; i++) {
                outProbe[kept] = probeRows[i];
                outBuild[kept] = candidates[i];
                kept += probeValues[probeRows[i]] == buildValues[candidates[i]] ? 1 : 0;
            }
            return kept;
        }
        for (int i = 0; i < count; i++) {
            outProbe[kept] = probeRows[i];
            outBuild[kept] = candidates[i];
            kept += (int) (hashes[probeRows[i]] >>> 32) == hashBits[candidates[i]] ? 1 : 0;
        }
        for (int key = 0; key < keys.size() && kept > 0; key++) {
            kept = RowEquality.retain(probeKeys.get(key), outProbe, keys.get(key), outBuild, kept);
        }
        return kept;
    }

    /** Which rows have matched; only for joins that keep right rows. */
    boolean[] matched() {
        return matched;
    }
}
