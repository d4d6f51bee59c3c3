package io.skep.llap.server.executor;

import java.time.Duration;

/**
 * The sizes and times of an {@link ExecutorPool}.
 *
 * @param executors threads that run steps
 * @param quantumNanos how long a step should run before the next one has its turn
 * @param overdue how long a step runs before another thread replaces its executor, if other queries wait
 * @param interruptAfter how long a step runs before it is interrupted if its result is not needed
 * @param writeOffAfter how long it runs after that before its thread is written off
 * @param maxDetached threads, in addition to the executors, that are in steps which did not return
 * @param closeWithin how long closing waits for threads
 */
public record ExecutorConfig(
        int executors,
        long quantumNanos,
        Duration overdue,
        Duration interruptAfter,
        Duration writeOffAfter,
        int maxDetached,
        Duration closeWithin) {
    private static final Duration OVERDUE = Duration.ofMillis(100);
    private static final Duration INTERRUPT_AFTER = Duration.ofMillis(50);
    private static final Duration WRITE_OFF_AFTER = Duration.ofSeconds(2);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    public ExecutorConfig {
        if (executors < 1 || quantumNanos < 1 || maxDetached < 0) {
            throw new IllegalArgumentException("an executor pool needs executors, a quantum and a limit of threads");
        }
    }

    public static ExecutorConfig of(int executors, long quantumNanos, int maxDetached) {
        return new ExecutorConfig(
                executors, quantumNanos, OVERDUE, INTERRUPT_AFTER, WRITE_OFF_AFTER, maxDetached, CLOSE_WITHIN);
    }
}
