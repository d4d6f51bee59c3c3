package io.skep.storage.serde.container;

import java.io.IOException;

/**
 * The run-length encoded lengths of a column's cells in one row group. A negative number says how many times the last
 * length is repeated.
 */
final class CellLengths {
    private final BoundedInput runs;
    private long repeats;
    private int last = -1;

    CellLengths(byte[] runs) {
        this.runs = BoundedInput.of(runs);
    }

    /** Returns the number of bytes of the next cell. */
    int next() throws IOException {
        if (repeats > 0) {
            repeats--;
            return last;
        }
        long value = runs.readVLong();
        if (value >= 0) {
            last = Math.toIntExact(value);
        } else {
            repeats = ~value - 1;
        }
        if (last < 0) {
            throw new IOException("a repetition without a length");
        }
        return last;
    }
}
