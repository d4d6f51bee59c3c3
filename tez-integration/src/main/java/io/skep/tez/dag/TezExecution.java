package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.Failures;
import io.skep.engine.plan.Fragment;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.tez.session.TezConfig;
import io.skep.tez.session.TezSession;
import io.skep.tez.session.TezSessionPool;
import io.skep.tez.wire.FailureText;
import io.skep.tez.wire.StatsCounters;
import io.skep.tez.wire.VertexNames;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tez.common.counters.TezCounters;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.Progress;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes one query as a DAG. A virtual thread submits the DAG and follows it to its end. Rows come from the place
 * where the tasks run.
 */
final class TezExecution implements StageGraphExecution {
    private static final long STATUS_INTERVAL_MILLIS = 50;

    /** A single silence may be a long garbage collection of this process. */
    private static final int MAX_SILENCES = 2;

    private static final Logger LOG = LoggerFactory.getLogger(TezExecution.class);

    private final StageGraphRun run;
    private final TaskLayout layout;
    private final QueryPlace place;
    private final TezSessionPool sessions;
    private final AtomicReference<@Nullable SkepException> failure = new AtomicReference<>();
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
    private volatile boolean taken;
    private volatile boolean delivered;
    /** The number of operators of each fragment. */
    private final Map<Integer, Integer> operators = new HashMap<>();

    private volatile TezCounters counters = new TezCounters();
    private volatile Map<String, Progress> progress = Map.of();

    TezExecution(StageGraphRun run, TaskLayout layout, QueryPlace place, TezSessionPool sessions) {
        this.run = run;
        this.layout = layout;
        this.place = place;
        this.sessions = sessions;
        run.graph().fragments().forEach(fragment -> {
            AtomicInteger nodes = new AtomicInteger();
            fragment.root().walk(node -> nodes.incrementAndGet());
            operators.put(fragment.id(), nodes.get());
        });
    }

    void start() {
        try {
            place.open();
        } catch (SkepException e) {
            cancel(e);
            over.complete(null);
            return;
        }
        Thread.ofVirtual().name("tez-" + run.queryId()).start(this::follow);
    }

    private void follow() {
        try {
            runInSession();
        } catch (SkepException e) {
            cancel(e);
        } catch (InterruptedException e) {
            cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was interrupted", e));
        } catch (RuntimeException | Error e) {
            cancel(new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + e, e));
        } finally {
            freeAfterFailure();
            over.complete(null);
        }
    }

    /**
     * Frees the query's resources after a failure. No rows are read any more, but a client may keep its failed
     * statement for long.
     */
    private void freeAfterFailure() {
        try {
            if (failure.get() != null) {
                place.close();
            }
        } catch (RuntimeException e) {
            LOG.warn("What query {} has left is deleted when it is closed", run.queryId(), e);
        }
    }

    /** Runs the query in a warm session, or in a new one. */
    private void runInSession() throws InterruptedException {
        Optional<TezSession> acquired = awaitSession();
        if (acquired.isEmpty()) {
            return;
        }
        TezSession session = acquired.get();
        boolean healthy = false;
        try {
            if (failure.get() != null) {
                healthy = true;
                return;
            }
            boolean isWarm = session.isUsed();
            DAGClient dag;
            try {
                dag = submit(place.dag(session), session);
            } catch (TezException | IOException e) {
                throw isWarm ? gone(session, e) : TezSession.failure("the Tez session does not take the query", e);
            } catch (SkepException yarnIsAway) {
                healthy = true;
                throw yarnIsAway;
            }
            healthy = runToTheEnd(session, dag);
        } finally {
            sessions.release(session, healthy);
        }
    }

    private DAGClient submit(DAG dag, TezSession session) throws TezException, IOException {
        boolean isTaken = false;
        // Set before the submission returns, because tasks may run earlier.
        taken = true;
        try {
            DAGClient client = session.submit(dag);
            isTaken = true;
            return client;
        } finally {
            taken = isTaken;
        }
    }

    /**
     * Returns the error of a warm session that ended before it accepted the query. The query may be retried on another
     * session.
     */
    private static SkepException gone(TezSession session, Exception cause) {
        return new SkepException(
                StandardErrorCode.TEZ_MASTER_LOST,
                "the application master " + session.name() + " had ended before it took the query: "
                        + cause.getMessage(),
                cause);
    }

    /** Returns nothing when the query was cancelled before a session was available. */
    private Optional<TezSession> awaitSession() throws InterruptedException {
        CompletableFuture<TezSession> session =
                sessions.acquire(Optional.ofNullable(run.settings().get(TezConfig.QUEUE.name()))
                        .map(String::strip)
                        .filter(queue -> !queue.isEmpty()));
        try {
            CompletableFuture.anyOf(session, cancelled).get();
            if (!session.isDone() && session.cancel(false)) {
                return Optional.empty();
            }
            return Optional.of(session.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException known
                    ? known
                    : new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + e.getCause(), e);
        }
    }

    /** Returns false when the session cannot be used again. */
    private boolean runToTheEnd(TezSession session, DAGClient submitted) {
        try (DAGClient dag = submitted) {
            DAGStatus status = followToTheEnd(session, dag);
            counters = status.getDAGCounters() == null ? counters : status.getDAGCounters();
            if (status.getState() == DAGStatus.State.SUCCEEDED) {
                place.succeeded();
                return true;
            }
            Optional<SkepException> told = FailureText.find(status.getDiagnostics());
            boolean alive = status.getState() != DAGStatus.State.ERROR && (told.isPresent() || session.isAlive());
            cancel(told.orElseGet(() -> alive ? unexplained(status) : masterLost(session, status.getDiagnostics())));
            return alive;
        } catch (TezException | IOException e) {
            cancel(
                    session.isAlive()
                            ? TezSession.failure("the Tez session has failed", e)
                            : masterLost(session, List.of(String.valueOf(e.getMessage()))));
            return false;
        }
    }

    /**
     * @throws IOException also when the master has not answered for too long; Tez would then report the state from
     *     YARN, which is running
     */
    private DAGStatus followToTheEnd(TezSession session, DAGClient dag) throws TezException, IOException {
        Set<StatusGetOpts> nothing = EnumSet.noneOf(StatusGetOpts.class);
        boolean killed = false;
        int silences = 0;
        while (true) {
            long asked = System.nanoTime();
            DAGStatus status = dag.getDAGStatus(nothing, STATUS_INTERVAL_MILLIS);
            silences = System.nanoTime() - asked < session.silence().toNanos() ? 0 : silences + 1;
            progress = status.getVertexProgress() == null ? Map.of() : status.getVertexProgress();
            if (status.isCompleted()) {
                return dag.getDAGStatus(EnumSet.of(StatusGetOpts.GET_COUNTERS));
            }
            if (silences == MAX_SILENCES) {
                throw new IOException("it does not answer");
            }
            if (failure.get() != null && !killed) {
                killed = true;
                dag.tryKillDAG();
            }
        }
    }

    private static SkepException masterLost(TezSession session, List<String> diagnostics) {
        return new SkepException(
                StandardErrorCode.TEZ_MASTER_LOST,
                "the application master " + session.name() + " has ended under the query: "
                        + String.join("; ", diagnostics));
    }

    /**
     * Returns an error for a DAG without a failure text. Tez does not keep the diagnostics of a task that was run again
     * for its lost output.
     */
    private SkepException unexplained(DAGStatus status) {
        boolean lost = place.hasLost();
        return LaunchFailure.find(status.getDiagnostics())
                .orElseGet(() -> new SkepException(
                        lost ? StandardErrorCode.DAEMON_LOST : StandardErrorCode.TEZ_ERROR,
                        "the DAG ended as " + status.getState() + ": " + String.join("; ", status.getDiagnostics())));
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        SkepException known = failure.get();
        if (known != null) {
            return CompletableFuture.failedFuture(known);
        }
        return place.next()
                .thenApply(rows -> {
                    if (rows.isEmpty()) {
                        delivered = true;
                    }
                    return rows;
                })
                .exceptionallyCompose(this::explained);
    }

    /**
     * Finds the reason for a failure of the root. Its task may have been cancelled in a healthy daemon and not by this
     * process. Then its master is gone, or the reason arrives with the DAG's end.
     */
    private CompletableFuture<Optional<Batch>> explained(Throwable error) {
        SkepException told = Failures.asSkepException(error);
        boolean cancelledThere = switch (told.code()) {
            case OPERATION_CANCELED, DAEMON_LOST -> place.isRootReachable();
            default -> false;
        };
        return failure.get() == null && cancelledThere ? over.thenCompose(_ -> failed(told)) : failed(told);
    }

    private CompletableFuture<Optional<Batch>> failed(SkepException told) {
        SkepException first = failure.get();
        return CompletableFuture.failedFuture(first != null ? first : told);
    }

    @Override
    public void cancel(SkepException reason) {
        if (failure.compareAndSet(null, reason)) {
            cancelled.complete(null);
            var _ = place.end(String.valueOf(reason.getMessage()));
        }
    }

    @Override
    public boolean mayHaveStarted() {
        return taken;
    }

    @Override
    public ExecutionStats stats() {
        Map<Integer, int[]> tasks = new LinkedHashMap<>();
        for (Fragment fragment : run.graph().fragments()) {
            Progress vertex = progress.get(VertexNames.of(fragment.id()));
            int planned = layout.tasks(fragment.id()).size();
            int nodes = operators.getOrDefault(fragment.id(), 0);
            tasks.put(
                    fragment.id(),
                    vertex == null
                            ? new int[] {planned, 0, 0, 0, nodes}
                            : new int[] {
                                vertex.getTotalTaskCount(),
                                vertex.getRunningTaskCount(),
                                vertex.getSucceededTaskCount(),
                                vertex.getFailedTaskCount(),
                                nodes
                            });
        }
        return StatsCounters.stats(counters, tasks);
    }

    /** Kills the DAG unless it has delivered all its rows, and waits for its end. */
    @Override
    public void close() {
        if (!delivered) {
            cancel(closed());
        }
        over.join();
        place.end("the query was closed").join();
        place.close();
    }

    private static SkepException closed() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed");
    }
}
