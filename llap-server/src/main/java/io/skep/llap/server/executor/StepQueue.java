package io.skep.llap.server.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Orders the steps that wait to run. Queries move down through levels as they consume time. Each level gets twice the
 * executor time of the next, so that young queries go first and old ones never starve. Within a level, steps take
 * turns. A query with too many threads in steps that do not return gets no more threads. Its other steps are held until
 * one of the threads returns.
 */
final class StepQueue {
    /** Consumed time at which a query moves to the next level. */
    private static final long[] THRESHOLD_NANOS = {100_000_000L, 1_000_000_000L, 10_000_000_000L, 60_000_000_000L};

    /** A waiting step of a query. */
    record Waiting(QueryShare query, Step step) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();

    @GuardedBy("lock")
    private final List<Queue<Waiting>> levels = new ArrayList<>();

    private final double[] weightedTime = new double[THRESHOLD_NANOS.length + 1];
    private final int maxDetachedOfQuery;

    @GuardedBy("lock")
    private int size;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param maxDetachedOfQuery number of detached threads in steps of one query at which no more of its steps are run
     */
    StepQueue(int maxDetachedOfQuery) {
        this.maxDetachedOfQuery = maxDetachedOfQuery;
        for (int i = 0; i <= THRESHOLD_NANOS.length; i++) {
            levels.add(new ArrayDeque<>());
        }
    }

    static int level(long consumedNanos) {
        int level = 0;
        while (level < THRESHOLD_NANOS.length && consumedNanos >= THRESHOLD_NANOS[level]) {
            level++;
        }
        return level;
    }

    /** Adds a step. Returns false when the queue is closed. */
    boolean add(Waiting waiting) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            enqueue(waiting);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void enqueue(Waiting waiting) {
        int level = level(waiting.query().consumedNanos());
        if (levels.get(level).isEmpty()) {
            catchUp(level);
        }
        levels.get(level).add(waiting);
        size++;
        notEmpty.signal();
    }

    /** Raises the time of a level that was empty, so that it cannot claim the time that it did not need. */
    @GuardedBy("lock")
    private void catchUp(int level) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < levels.size(); i++) {
            if (!levels.get(i).isEmpty()) {
                least = Math.min(least, weightedTime[i]);
            }
        }
        if (least != Double.MAX_VALUE) {
            weightedTime[level] = Math.max(weightedTime[level], least);
        }
    }

    /** Waits for the next step and returns it. Returns null when the queue is closed. */
    @Nullable
    Waiting take() {
        lock.lock();
        try {
            while (true) {
                while (size == 0 && !closed) {
                    notEmpty.awaitUninterruptibly();
                }
                if (closed) {
                    return null;
                }
                size--;
                Waiting next = levels.get(next()).remove();
                if (next.query().detached < maxDetachedOfQuery) {
                    return next;
                }
                next.query().held.add(next);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private int next() {
        int best = -1;
        for (int i = 0; i < levels.size(); i++) {
            if (!levels.get(i).isEmpty() && (best < 0 || weightedTime[i] < weightedTime[best])) {
                best = i;
            }
        }
        return best;
    }

    /**
     * Charges the level of a query for the time that it has used.
     *
     * @param again whether the step is ready to run once more; it then keeps its claim to its level's time
     */
    void ran(Waiting waiting, int level, long nanos, boolean again) {
        lock.lock();
        try {
            weightedTime[level] += (double) nanos * (1L << level);
            if (again && !closed) {
                levels.get(level(waiting.query().consumedNanos())).add(waiting);
                size++;
                notEmpty.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a step of another query waits for an executor. */
    boolean hasOther(QueryShare query) {
        lock.lock();
        try {
            return size > 0
                    && levels.stream()
                            .flatMap(Queue::stream)
                            .anyMatch(waiting ->
                                    waiting.query() != query && waiting.query().detached < maxDetachedOfQuery);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a thread in a step of the query has left the pool. */
    void detached(QueryShare query) {
        lock.lock();
        try {
            query.detached++;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that such a thread has returned from its step. */
    void threadReturned(QueryShare query) {
        lock.lock();
        try {
            query.detached--;
            while (!closed && !query.held.isEmpty()) {
                enqueue(query.held.remove());
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
