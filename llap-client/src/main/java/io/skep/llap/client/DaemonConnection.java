package io.skep.llap.client;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A daemon as its clients see it; in the same process or over the wire. Thread-safe, never blocks. */
public interface DaemonConnection {
    DaemonIdentity identity();

    /** Makes a plan known for a query; tasks refer to it by its name. Sending it twice is harmless. */
    void register(QueryId query, PlanImage plan);

    /**
     * Starts a task. The future is done when the task has ended: its figures, or the {@link SkepException} it failed with.
     * Inputs need not be there yet.
     */
    CompletableFuture<TaskFigures> submit(TaskSubmission submission);

    /**
     * Opens one partition of a task's output; it may be opened before the task is submitted. The query's plan has been
     * registered.
     */
    PageStream open(QueryId query, OutputId output, int partition);

    /**
     * Gives one task attempt up: it fails with OPERATION_CANCELED if it still runs, and its output is dropped. Done
     * when nothing is left.
     */
    CompletableFuture<@Nullable Void> cancel(QueryId query, OutputId attempt, String reason);

    /** Cancels what of the query runs here and frees all it holds: tasks, outputs, spill files, plan. */
    CompletableFuture<@Nullable Void> end(QueryId query, String reason);
}
