package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.rows.Concatenation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts small batches together, so that operators downstream do not run for a few rows at a time. Owned by one thread. */
public final class SmallBatches {
    private static final int PATIENCE = 16;

    /** Rows with long texts are not kept until there are many. */
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

    /** Whether a batch of so many rows would be given out at once, as it is, so that nothing of it is kept. */
    public boolean passesAtOnce(int count) {
        return count >= enoughRows && rows == 0;
    }

    /** Takes some rows of a batch, ascending; what is kept of them is a copy. */
    @Nullable
    public Batch add(Batch batch, int[] positions, int count) {
        boolean whole = count == batch.rowCount() && passesAtOnce(count);
        return add(whole ? batch : batch.select(positions, count));
    }

    /** Takes a batch, maybe without rows, and gives one out when enough rows have come or others have waited long enough. */
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

    /** What is left, if anything. */
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
