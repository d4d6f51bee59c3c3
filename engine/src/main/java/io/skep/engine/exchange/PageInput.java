package io.skep.engine.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The output partition of one producing task, as its consumer reads it. One call of {@link #next} at a time. */
public interface PageInput extends AutoCloseable {
    /** The next rows, or nothing at the end; fails with the producer's {@link SkepException}. */
    CompletableFuture<Optional<Batch>> next();

    /** Lets go of what was not read. Idempotent. */
    @Override
    void close();
}
