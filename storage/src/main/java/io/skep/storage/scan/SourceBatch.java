package io.skep.storage.scan;

import io.skep.common.vector.Vector;

/** Rows of a split whose columns are decoded on first request. Filters can thus avoid decoding the other columns. */
public interface SourceBatch {
    int rowCount();

    /**
     * Returns a column by its index in the request. Owned by the scan's thread and valid until the page source's next
     * batch.
     */
    Vector column(int index);

    /**
     * Returns the values of a column at {@code rows[0..count)}, which are ascending. Reading few rows may cost less
     * than reading all. The values are copies and stay valid, regardless of how the source allocates its arrays.
     */
    default Vector column(int index, int[] rows, int count) {
        return column(index).select(rows, count);
    }
}
