package io.skep.storage.scan;

import io.skep.common.vector.Vector;

/** Rows of a split whose columns are decoded when they are first asked for, so that filters can spare the others. */
public interface SourceBatch {
    int rowCount();

    /**
     * A column of the request by its index there. Owned by the thread of the scan; valid until the page source's next
     * batch.
     */
    Vector column(int index);

    /**
     * The values of a column at {@code rows[0..count)}, ascending; few of them may cost less than all. Copies: valid
     * for ever, however the source makes its arrays.
     */
    default Vector column(int index, int[] rows, int count) {
        return column(index).select(rows, count);
    }
}
