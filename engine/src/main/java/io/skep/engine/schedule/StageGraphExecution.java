package io.skep.engine.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A running query. */
public interface StageGraphExecution extends AutoCloseable {
    /**
     * The next rows of the result, or nothing when there are no more. One call at a time. Fails with a {@link SkepException}
     * when the query failed or was cancelled.
     */
    CompletableFuture<Optional<Batch>> next();

    /** Ends the query; what waits for rows fails with {@code reason}. */
    void cancel(SkepException reason);

    /** Whether anything of it may have been started; when it has failed and this is false, it was never taken by anyone. */
    default boolean mayHaveStarted() {
        return true;
    }

    ExecutionStats figures();

    /** Ends the query if it still runs and waits until nothing of it is left: no task, memory, file or thread. */
    @Override
    void close();
}
