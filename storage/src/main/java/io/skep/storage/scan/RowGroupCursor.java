package io.skep.storage.scan;

import io.skep.common.vector.Vector;

/** Iterates over the rows of one row group in batches. Columns are decoded on request. */
public interface RowGroupCursor extends AutoCloseable {
    RowGroup rowGroup();

    /** Moves to the next rows and returns their number, or 0 at the end. */
    int next();

    /** Returns a column of the current rows by its ordinal among the split's file columns. */
    Vector column(int fileColumn);

    /**
     * Returns the values of a column at {@code rows[0..count)} of the current rows, which are ascending. Reading few
     * rows may cost less than reading all. The values are copies.
     */
    default Vector column(int fileColumn, int[] rows, int count) {
        return column(fileColumn).select(rows, count);
    }

    /**
     * Returns the same values in the arrays of {@link #column(int)}, where that is possible. Meant for a large part of
     * the rows.
     */
    default Vector retained(int fileColumn, int[] rows, int count) {
        return column(fileColumn).select(rows, count);
    }

    @Override
    void close();
}
