package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.tez.session.TezSession;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.tez.dag.api.DAG;

/** Where the tasks of one query run, and how its rows come back: daemons, or containers of YARN. Thread-safe but for {@link #next}. */
interface QueryPlace {
    /** Makes what does not need a session. */
    void open();

    /**
     * The query as a DAG; whoever runs its tasks knows the plan by then. Waits.
     *
     * @throws SkepException when the plan cannot be made known
     */
    DAG dag(TezSession session);

    /** The next rows of the root, or nothing at the end. One call at a time. */
    CompletableFuture<Optional<Batch>> next();

    /** The DAG has succeeded. */
    void succeeded();

    /** Whether rows may still come from where the root's task was meant to run. */
    boolean isRootThere();

    /** Whether a place that the query ran on is known to be lost. */
    boolean hasLost();

    /** Ends what runs and frees what is kept; who waits for rows fails. Done when nothing is left. Never fails. */
    CompletableFuture<?> end(String reason);

    /** After {@link #end}, when the DAG has ended too; does nothing the second time. */
    void close();
}
