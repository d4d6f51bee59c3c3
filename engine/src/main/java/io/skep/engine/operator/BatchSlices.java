package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides a batch into slices, for operators whose output rows are wider than their input rows. Owned by one thread.
 */
final class BatchSlices {
    private final int mostRows;
    private @Nullable Batch batch;
    private int given;

    /**
     * @param types types of the output; there is more than one slice only if the output rows are so wide that their
     *     batches contain fewer rows
     */
    BatchSlices(List<SqlType> types) {
        int rows = BatchRows.of(types);
        this.mostRows = rows < Batch.TARGET_ROWS ? rows : Integer.MAX_VALUE;
    }

    /** Begins a batch. All slices of the previous batch must have been returned. */
    void setBatch(Batch newBatch) {
        batch = newBatch.rowCount() == 0 ? null : newBatch;
        given = 0;
    }

    boolean isEmpty() {
        return batch == null;
    }

    /** Returns the next rows, or null if there are none. */
    @Nullable
    Batch next() {
        Batch current = batch;
        if (current == null) {
            return null;
        }
        int count = Math.min(mostRows, current.rowCount() - given);
        Batch slice = current.slice(given, count);
        given += count;
        if (given == current.rowCount()) {
            batch = null;
        }
        return slice;
    }

    long heldBytes() {
        Batch current = batch;
        return current == null ? 0 : current.retainedBytes();
    }
}
