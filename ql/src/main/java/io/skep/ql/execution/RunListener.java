package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.ql.execution.RetryPolicy.Scheduler;

/** Notified by the threads that run a statement. A lambda receives only the log lines, and cancels nothing. */
@FunctionalInterface
public interface RunListener {
    /** Adds a line to the operation's log. */
    void log(String line);

    /** Called when the files that the statement reads are being listed; any number of times. */
    default void listing() {}

    /** Called when an attempt is started; any number of times. */
    default void running(QueryAttemptId attempt, Scheduler scheduler) {}

    /**
     * Called when the statement is about to make its effects visible. Once this method has returned, the statement
     * cannot be cancelled.
     *
     * @throws SkepException the reason of the cancellation, if the statement was cancelled; nothing may become visible
     *     then
     */
    default void beginCommit() {}
}
