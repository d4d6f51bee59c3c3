package io.skep.llap.server.executor;

import java.util.concurrent.atomic.AtomicLong;

/** The executor time that one query has had in this daemon; decides who is next. Thread-safe. */
public final class QueryShare {
    private final AtomicLong consumedNanos = new AtomicLong();

    public long consumedNanos() {
        return consumedNanos.get();
    }

    void add(long nanos) {
        consumedNanos.addAndGet(nanos);
    }
}
