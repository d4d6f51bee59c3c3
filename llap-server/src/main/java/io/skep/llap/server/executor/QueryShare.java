package io.skep.llap.server.executor;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The executor time that one query has had in this daemon; decides who is next. Thread-safe, but for the fields of {@link
 * StepQueue}, which that guards.
 */
public final class QueryShare {
    private final AtomicLong consumedNanos = new AtomicLong();

    /** Threads outside of the pool that are in steps of the query. */
    int detached;

    /** Steps that wait until one of them comes back. */
    final Queue<StepQueue.Waiting> held = new ArrayDeque<>();

    public long consumedNanos() {
        return consumedNanos.get();
    }

    void add(long nanos) {
        consumedNanos.addAndGet(nanos);
    }
}
