package io.skep.llap.server.executor;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The executor time that one query has used in this daemon. It determines which query runs next. Thread-safe, except
 * for the fields that {@link StepQueue} guards.
 */
public final class QueryShare {
    private final AtomicLong consumedNanos = new AtomicLong();

    /** Threads outside the pool that are in steps of the query. */
    int detached;

    /** Steps that wait until one of those threads returns. */
    final Queue<StepQueue.Waiting> held = new ArrayDeque<>();

    public long consumedNanos() {
        return consumedNanos.get();
    }

    void add(long nanos) {
        consumedNanos.addAndGet(nanos);
    }
}
