package io.skep.llap.client;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One partition of a task's output as a stream. One reader. */
public interface PageStream extends AutoCloseable {
    /** The next rows, or nothing at the end; fails with the producer's {@link SkepException}. One call at a time. */
    CompletableFuture<Optional<Batch>> next();

    /** Lets go of what was not read. */
    @Override
    void close();
}
