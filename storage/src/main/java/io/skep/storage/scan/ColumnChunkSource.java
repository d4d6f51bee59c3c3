package io.skep.storage.scan;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Provides the row groups of a split to a page source, from the file's reader or from a cache in front of it. Returns
 * the row groups that may contain matching rows, in file order. Owned by one thread at a time.
 */
public interface ColumnChunkSource extends AutoCloseable {
    /** Returns a future that completes when {@link #nextRowGroup} can be called without waiting for I/O. */
    CompletableFuture<?> ready();

    /** Returns the next row group, or null at the end. The caller must close the previous one first. */
    @Nullable
    RowGroupCursor nextRowGroup();

    /** Returns the heap bytes of a reader's buffers that the thread of this source has counted. */
    default long retainedBytes() {
        return 0;
    }

    /** Returns the statistics of the work so far. The page source sets {@link ScanStats#rows}. */
    ScanStats stats();

    @Override
    void close();
}
