package io.skep.storage.scan;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where a page source takes the row groups of a split from: the file's reader, or a cache before it. Gives those row
 * groups that may hold matching rows, in the order of the file. Owned by one thread at a time.
 */
public interface ColumnChunkSource extends AutoCloseable {
    /** Done when {@link #nextRowGroup} can be called without waiting for I/O. */
    CompletableFuture<?> ready();

    /** The next row group, or null when there are no more. The one before is closed by its user first. */
    @Nullable
    RowGroupCursor nextRowGroup();

    /** What was done so far; {@link ScanStats#rows} is left to the page source. */
    ScanStats figures();

    @Override
    void close();
}
