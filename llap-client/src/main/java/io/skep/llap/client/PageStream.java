package io.skep.llap.client;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One partition of a task's output as a stream, for one reader. */
public interface PageStream extends AutoCloseable {
    /**
     * Returns the next rows, or nothing at the end. The future fails with the producer's {@link SkepException}. Only
     * one call may be pending.
     */
    CompletableFuture<Optional<Batch>> next();

    /** Releases the rows that were not read. */
    @Override
    void close();
}
