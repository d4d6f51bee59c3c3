package io.skep.storage.scan;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads one split. Owned by one thread at a time. */
public interface PageSource extends AutoCloseable {
    CompletableFuture<?> NOT_BLOCKED = CompletableFuture.completedFuture(null);

    /** Returns a future that completes when {@link #next} can be called without waiting for I/O. */
    CompletableFuture<?> blocked();

    /** Returns the next rows, or null at the end of the split. */
    @Nullable
    SourceBatch next();

    /** Returns the heap bytes of a reader's buffers that the thread of this source has counted. */
    default long retainedBytes() {
        return 0;
    }

    ScanStats stats();

    @Override
    void close();
}
