package io.skep.storage.scan;

import io.skep.common.vector.Vector;

/** The rows of one row group, a batch at a time; columns are decoded when they are asked for. */
public interface RowGroupCursor extends AutoCloseable {
    RowGroup rowGroup();

    /** Moves to the next rows and gives their number; 0 at the end. */
    int next();

    /** A column of the current rows by its ordinal among the split's file columns. */
    Vector column(int fileColumn);

    /**
     * The values of a column at {@code rows[0..count)} of the current rows, ascending; few of them may cost less than
     * all.
     */
    default Vector column(int fileColumn, int[] rows, int count) {
        return column(fileColumn).select(rows, count);
    }

    @Override
    void close();
}
