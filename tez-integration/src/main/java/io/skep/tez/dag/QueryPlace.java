package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.tez.session.TezSession;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.tez.dag.api.DAG;

/**
 * The place where the tasks of one query run and from which its rows come: daemons, or containers of YARN. Thread-safe
 * except for {@link #next}.
 */
interface QueryPlace {
    /** Prepares what does not depend on a session. */
    void open();

    /**
     * Builds the query's DAG. When it returns, the processes that run the tasks can read the plan. Waits for that.
     *
     * @throws SkepException when the plan cannot be registered
     */
    DAG dag(TezSession session);

    /** Returns the next rows of the root, or nothing at the end. Only one call may be pending. */
    CompletableFuture<Optional<Batch>> next();

    /** Called when the DAG has succeeded. */
    void succeeded();

    /** Whether rows may still come from the place where the root's task was meant to run. */
    boolean isRootReachable();

    /** Whether a place that the query ran on is known to be lost. */
    boolean hasLost();

    /**
     * Cancels what runs and frees what is held. Pending reads of rows fail. The future completes when nothing is left,
     * and never fails.
     */
    CompletableFuture<?> end(String reason);

    /** Called after {@link #end}, when the DAG has ended too. A second call does nothing. */
    void close();
}
