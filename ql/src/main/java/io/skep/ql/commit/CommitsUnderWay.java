package io.skep.ql.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the commits under way, so that a server that is stopping can wait for them. Thread-safe. */
final class CommitsUnderWay {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    @GuardedBy("lock")
    private int count;

    /** A commit under way. Closed when the commit is over. */
    interface Entered extends AutoCloseable {
        @Override
        void close();
    }

    Entered enter() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
        return this::leave;
    }

    private void leave() {
        lock.lock();
        try {
            if (--count == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no commit is under way, or the time limit is reached. */
    void await(Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (count > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
