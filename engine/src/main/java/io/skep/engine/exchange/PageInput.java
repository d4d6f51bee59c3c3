package io.skep.engine.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The output partition of one producing task, as its consumer reads it. Only one call of {@link #next} may be
 * outstanding at a time.
 */
public interface PageInput extends AutoCloseable {
    /** Returns the next rows, or empty at the end. The future fails with the producer's {@link SkepException}. */
    CompletableFuture<Optional<Batch>> next();

    /** Discards the rows that were not read. Idempotent. */
    @Override
    void close();
}
