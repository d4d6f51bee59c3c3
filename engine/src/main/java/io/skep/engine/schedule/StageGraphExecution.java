package io.skep.engine.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A running query. */
public interface StageGraphExecution extends AutoCloseable {
    /**
     * Returns the next rows of the result, or empty at the end. Only one call may be outstanding at a time. The future
     * fails with a {@link SkepException} if the query failed or was cancelled.
     */
    CompletableFuture<Optional<Batch>> next();

    /** Cancels the query. Calls that wait for rows fail with {@code reason}. */
    void cancel(SkepException reason);

    /**
     * Whether any part of the query may have been started. If the query has failed and this is false, no component has
     * accepted any part of it.
     */
    default boolean mayHaveStarted() {
        return true;
    }

    ExecutionStats stats();

    /** Cancels the query if it still runs. Waits until all its tasks, memory, files and threads are released. */
    @Override
    void close();
}
