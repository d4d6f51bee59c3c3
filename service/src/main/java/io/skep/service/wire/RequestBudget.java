package io.skep.service.wire;

import java.util.concurrent.atomic.AtomicLong;

/** A limit on the bytes that all active requests together may hold. Thread-safe. */
final class RequestBudget {
    private final long limit;
    private final AtomicLong reserved = new AtomicLong();

    RequestBudget(long limit) {
        this.limit = limit;
    }

    /** Reserves all of {@code bytes} or nothing. Returns whether it did. */
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
