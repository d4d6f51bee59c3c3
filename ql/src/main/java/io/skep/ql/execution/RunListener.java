package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.ql.execution.RetryPolicy.Scheduler;

/** Is told by the threads that run a statement what they do. A lambda gets the lines of the log only, and cancels nothing. */
@FunctionalInterface
public interface RunListener {
    /** A line of the operation's log. */
    void log(String line);

    /** The files that are read are being listed; any number of times. */
    default void listing() {}

    /** An attempt is started; any number of times. */
    default void running(QueryAttemptId attempt, Scheduler scheduler) {}

    /**
     * The statement is about to make its effects visible. When this returns it can no longer be cancelled.
     *
     * @throws SkepException the reason why it was cancelled: nothing may become visible
     */
    default void beginCommit() {}
}
