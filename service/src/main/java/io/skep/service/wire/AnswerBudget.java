package io.skep.service.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A limit on the heap bytes of all result pages together, from the encoding of their rows until they are sent. A thread
 * that finds no room waits for the others. A page that is larger than the budget is sent alone. Thread-safe.
 */
final class AnswerBudget {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final long limit;
    private final Duration patience;

    @GuardedBy("lock")
    private long reserved;

    private int waiting;

    /** @param patience how long a page waits for others */
    AnswerBudget(long limit, Duration patience) {
        this.limit = limit;
        this.patience = patience;
    }

    /** @throws SkepException (MEMORY_LIMIT_EXCEEDED) when others hold the memory for too long */
    void reserve(long bytes) {
        long left = patience.toNanos();
        lock.lock();
        try {
            waiting++;
            while (reserved > 0 && bytes > limit - reserved) {
                if (left <= 0) {
                    throw refused(bytes);
                }
                left = released.awaitNanos(left);
            }
            reserved += bytes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server was stopped", e);
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    private SkepException refused(long bytes) {
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        "a page of the result needs " + bytes
                                + " bytes, and pages of other results have held the server's " + limit + " for "
                                + TimeUnit.NANOSECONDS.toSeconds(patience.toNanos()) + " s")
                .withHint("raise " + ThriftConfig.ANSWER_MEMORY.name() + ", or make the rows shorter");
    }

    void release(long bytes) {
        lock.lock();
        try {
            reserved -= bytes;
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether pages are waiting, so that clients should read the others soon. */
    boolean isWanted() {
        lock.lock();
        try {
            return waiting > 0;
        } finally {
            lock.unlock();
        }
    }

    long reserved() {
        lock.lock();
        try {
            return reserved;
        } finally {
            lock.unlock();
        }
    }
}
