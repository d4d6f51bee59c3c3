package io.skep.llap.client;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A daemon as its clients see it, in the same process or over the wire. Thread-safe. No call blocks. */
public interface DaemonConnection extends OutputSource {
    DaemonIdentity identity();

    /** Returns the load that the daemon last reported, or {@link DaemonLoad#NONE} until it has reported one. */
    default DaemonLoad load() {
        return DaemonLoad.NONE;
    }

    /**
     * Whether this incarnation of the daemon, or the only connection to it, is known to be lost. A lost daemon stays
     * lost. All pending tasks and reads have failed with DAEMON_LOST, and later ones will fail with it.
     */
    default boolean isLost() {
        return false;
    }

    /** Returns where programs outside of the server read rows of this daemon, if they do. */
    default Optional<URI> externalLocation() {
        return Optional.empty();
    }

    /** Registers a plan for a query. Tasks refer to the plan by its name. Registering it twice is harmless. */
    void register(QueryId query, EncodedPlan plan);

    /**
     * Starts a task. The future completes when the task has finished: with its statistics, or with the
     * {@link SkepException} that it failed with. The task's inputs need not exist yet.
     */
    CompletableFuture<TaskStats> submit(TaskSubmission submission);

    /**
     * Registers a plan and starts tasks of it, in one message.
     *
     * @return the results of {@link #submit}, in the order of the tasks
     */
    default List<CompletableFuture<TaskStats>> start(QueryId query, EncodedPlan plan, List<TaskSubmission> tasks) {
        register(query, plan);
        return tasks.stream().map(this::submit).toList();
    }

    /**
     * Returns a future that completes when the daemon has processed everything that was sent over this connection, or
     * is lost. Later messages over other connections find the plans that were registered here. The future never fails.
     */
    default CompletableFuture<@Nullable Void> barrier() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Opens one partition of a task's output. The partition may be opened before the task is submitted, or before its
     * plan is registered.
     *
     * @param partition 0 when every partition has the same rows (broadcast)
     */
    PageStream open(QueryId query, TaskAttemptId output, int partition);

    /**
     * Does the same as {@link #open(QueryId, OutputId, int)}, for a reader that limits the pages under way to that
     * number of bytes, plus one page. A daemon in the same process passes rows by reference and has none under way.
     */
    @Override
    default PageStream open(QueryId query, TaskAttemptId output, int partition, long windowBytes) {
        return open(query, output, partition);
    }

    @Override
    default void releaseReader(QueryId query, TaskAttemptId output) {
        open(query, output, 0).close();
    }

    /**
     * Cancels one task attempt. The attempt fails with OPERATION_CANCELED if it still runs, and its output is dropped.
     * The future completes when nothing is left, or when the daemon is lost.
     */
    CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason);

    /**
     * Cancels the query's work on this daemon and frees all it holds: tasks, outputs, spill files and plan. The future
     * completes when nothing is left, or when the daemon is lost. A daemon that loses its client ends that client's
     * queries by itself.
     */
    CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason);
}
