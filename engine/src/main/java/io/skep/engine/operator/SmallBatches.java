package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.rows.Concatenation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combines small batches, so that downstream operators do not run for a few rows at a time. Owned by one thread. */
public final class SmallBatches {
    private static final int PATIENCE = 16;

    /** The maximum bytes of kept rows, so that rows with long texts are not kept until there are many. */
    private static final long ENOUGH_BYTES = 16 << 20;

    private final List<SqlType> types;
    private final int enoughRows;
    private final List<Batch> pending = new ArrayList<>();
    private int rows;
    private long bytes;
    private int waited;

    public SmallBatches(List<SqlType> types) {
        this.types = List.copyOf(types);
        this.enoughRows = BatchRows.of(this.types) / 2;
    }

    /**
     * Whether a batch of that number of rows would be returned at once and unchanged, so that nothing of it is kept.
     */
    public boolean passesAtOnce(int count) {
        return count >= enoughRows && rows == 0;
    }

    /** Adds some rows of a batch, in ascending order. Kept rows are copied. */
    @Nullable
    public Batch add(Batch batch, int[] positions, int count) {
        boolean whole = count == batch.rowCount() && passesAtOnce(count);
        return add(whole ? batch : batch.select(positions, count));
    }

    /**
     * Adds a batch, which may be empty. Returns a batch when enough rows have arrived or rows have waited long enough.
     */
    @Nullable
    public Batch add(Batch batch) {
        if (passesAtOnce(batch.rowCount())) {
            return batch;
        }
        if (batch.rowCount() > 0) {
            pending.add(batch);
            rows += batch.rowCount();
            bytes += batch.retainedBytes();
        }
        waited += rows > 0 ? 1 : 0;
        return rows >= enoughRows || bytes >= ENOUGH_BYTES || waited >= PATIENCE ? flush() : null;
    }

    /** Returns the remaining rows, if any. */
    @Nullable
    public Batch flush() {
        if (rows == 0) {
            return null;
        }
        Batch batch = Concatenation.of(pending, types);
        pending.clear();
        rows = 0;
        bytes = 0;
        waited = 0;
        return batch;
    }

    public long heldBytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return rows == 0;
    }
}
