package io.skep.common.concurrent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Threads wait for the next event with a time limit. A thread that reads the count before it works misses no event
 * that happens meanwhile. Fields are guarded by this. Thread-safe.
 */
public final class EventCount implements AutoCloseable {
    @GuardedBy("this")
    private long count;

    @GuardedBy("this")
    private boolean closed;

    /** Returns the number of events so far. */
    public synchronized long read() {
        return count;
    }

    /** Counts an event, and wakes all threads that wait. */
    public synchronized void advance() {
        count++;
        notifyAll();
    }

    /**
     * Waits until there are more events than those that were seen, or the time is over. An interrupt ends the wait, and
     * the thread stays interrupted.
     *
     * @return false when there is nothing more to wait for, because this was closed or the thread was interrupted
     */
    public synchronized boolean await(long seen, Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        try {
            while (!closed && count == seen) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return true;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !closed;
    }

    /** Ends all waits, also later ones. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
