package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch in slices, for operators whose output rows are wider than what they are made of. Owned by one thread. */
final class BatchSlices {
    private final int mostRows;
    private @Nullable Batch batch;
    private int given;

    /** @param types of the output; only where its rows are so wide that batches have fewer of them, there is more than one slice */
    BatchSlices(List<SqlType> types) {
        int rows = BatchRows.of(types);
        this.mostRows = rows < Batch.TARGET_ROWS ? rows : Integer.MAX_VALUE;
    }

    /** Begins with a batch; the one before has been given out. */
    void begin(Batch newBatch) {
        batch = newBatch.rowCount() == 0 ? null : newBatch;
        given = 0;
    }

    boolean isEmpty() {
        return batch == null;
    }

    /** The next rows, or null when there are none. */
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
