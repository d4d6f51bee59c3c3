package io.skep.storage.scan;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads one split. Owned by one thread at a time. */
public interface PageSource extends AutoCloseable {
    CompletableFuture<?> NOT_BLOCKED = CompletableFuture.completedFuture(null);

    /** Done when {@link #next} can be called without waiting for I/O. */
    CompletableFuture<?> blocked();

    /** The next rows, or null when the split has no more. */
    @Nullable
    SourceBatch next();

    ScanStats figures();

    @Override
    void close();
}
