package io.skep.llap.server.executor;

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
        boolean interrupted = false;
        long left = nanos - System.nanoTime();
        while (thread.isAlive() && left > 0) {
            try {
                thread.join(Duration.ofNanos(left));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = nanos - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
