package io.skep.service.wire;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Allows one log line per interval, so that a repeated fault does not fill the log. Thread-safe. */
final class LogLimit {
    private final long interval;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    LogLimit(Duration interval) {
        this.interval = interval.toNanos();
    }

    /** Whether a line may be logged at this time. */
    boolean allows() {
        long now = System.nanoTime();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + interval);
    }
}
