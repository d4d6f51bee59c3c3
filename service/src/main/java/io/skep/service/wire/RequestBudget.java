package io.skep.service.wire;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all requests under way may hold together. Thread-safe. */
final class RequestBudget {
    private final long limit;
    private final AtomicLong reserved = new AtomicLong();

    RequestBudget(long limit) {
        this.limit = limit;
    }

    /** Reserves all of {@code bytes} or nothing; tells which. */
    boolean tryReserve(long bytes) {
        long before = reserved.get();
        while (bytes <= limit - before) {
            if (reserved.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = reserved.get();
        }
        return false;
    }

    void release(long bytes) {
        reserved.addAndGet(-bytes);
    }

    long reserved() {
        return reserved.get();
    }
}
