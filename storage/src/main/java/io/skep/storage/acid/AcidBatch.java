package io.skep.storage.acid;

import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Which rows of a batch a snapshot contains, and their identifiers. Valid until the next batch of the split. */
public final class AcidBatch {
    private final int count;
    private final int @Nullable [] positions;
    private final @Nullable Vector rowIds;
    private final @Nullable Vector deleted;

    AcidBatch(int count, int @Nullable [] positions, @Nullable Vector rowIds, @Nullable Vector deleted) {
        this.count = count;
        this.positions = positions;
        this.rowIds = rowIds;
        this.deleted = deleted;
    }

    /** Returns the number of rows that the snapshot contains. */
    public int count() {
        return count;
    }

    /** Returns the ascending positions of these rows in the batch, or null for all rows. */
    public int @Nullable [] positions() {
        return positions;
    }

    /** Returns the identifiers of all rows of the batch, for a scan that reads them. */
    public Vector rowIds() {
        return wanted(rowIds);
    }

    /** Returns for all rows of the batch whether they are deleted, for a scan that reads deleted rows. */
    public Vector deleted() {
        return wanted(deleted);
    }

    private static Vector wanted(@Nullable Vector vector) {
        if (vector == null) {
            throw new IllegalStateException("the scan did not ask for the column");
        }
        return vector;
    }
}
