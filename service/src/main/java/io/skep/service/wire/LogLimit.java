package io.skep.service.wire;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Lets one line through in an interval, so that a fault that repeats does not fill the log. Thread-safe. */
final class LogLimit {
    private final long interval;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    LogLimit(Duration interval) {
        this.interval = interval.toNanos();
    }

    /** Whether a line may be logged now. */
    boolean allows() {
        long now = System.nanoTime();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + interval);
    }
}
