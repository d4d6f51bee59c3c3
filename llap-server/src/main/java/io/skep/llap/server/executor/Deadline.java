package io.skep.llap.server.executor;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;

/** The point in time until which a close waits for threads, for all of them together. */
record Deadline(long nanos) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /**
     * Waits for a thread to end. Returns false when it has not ended by the deadline. An interrupt is kept for the
     * caller.
     */
    boolean join(Thread thread) {
        Uninterruptibles.joinUninterruptibly(thread, Duration.ofNanos(nanos - System.nanoTime()));
        return !thread.isAlive();
    }
}
