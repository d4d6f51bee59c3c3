package io.skep.llap.client;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A daemon as its clients see it; in the same process or over the wire. Thread-safe, never blocks. */
public interface DaemonConnection extends OutputSource {
    DaemonIdentity identity();

    /** What the daemon last said that it has to do; {@link DaemonLoad#NONE} as long as it has said nothing. */
    default DaemonLoad load() {
        return DaemonLoad.NONE;
    }

    /**
     * Whether this life of the daemon, or the only connection to it, is known to be over. It stays so; all that was asked of it
     * has failed with DAEMON_LOST, and all that will be.
     */
    default boolean isLost() {
        return false;
    }

    /** Makes a plan known for a query; tasks refer to it by its name. Sending it twice is harmless. */
    void register(QueryId query, EncodedPlan plan);

    /**
     * Starts a task. The future is done when the task has ended: its figures, or the {@link SkepException} it failed with.
     * Inputs need not be there yet.
     */
    CompletableFuture<TaskStats> submit(TaskSubmission submission);

    /**
     * Registers a plan and starts tasks of it, in one message.
     *
     * @return what {@link #submit} gives, in the order of the tasks
     */
    default List<CompletableFuture<TaskStats>> start(QueryId query, EncodedPlan plan, List<TaskSubmission> tasks) {
        register(query, plan);
        return tasks.stream().map(this::submit).toList();
    }

    /**
     * Done when all that was sent over this connection has been taken in, or the daemon is lost: what comes over other connections
     * from then on finds the plans that were registered here. Never fails.
     */
    default CompletableFuture<@Nullable Void> settle() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Opens one partition of a task's output; it may be opened before the task is submitted, or its plan registered.
     *
     * @param partition 0 when every partition has the same rows (broadcast)
     */
    PageStream open(QueryId query, OutputId output, int partition);

    /**
     * As {@link #open(QueryId, OutputId, int)}, for a reader that has room for so many bytes of pages under way and one page on
     * top; a daemon of the same process, whose rows come by reference, has none under way.
     */
    @Override
    default PageStream open(QueryId query, OutputId output, int partition, long windowBytes) {
        return open(query, output, partition);
    }

    @Override
    default void pass(QueryId query, OutputId output) {
        open(query, output, 0).close();
    }

    /**
     * Gives one task attempt up: it fails with OPERATION_CANCELED if it still runs, and its output is dropped. Done
     * when nothing is left, or the daemon is lost.
     */
    CompletableFuture<@Nullable Void> cancel(QueryId query, OutputId attempt, String reason);

    /**
     * Cancels what of the query runs here and frees all it holds: tasks, outputs, spill files, plan. Done when nothing is left, or
     * the daemon is lost; it then ends the queries of whoever it has lost by itself.
     */
    CompletableFuture<@Nullable Void> end(QueryId query, String reason);
}
