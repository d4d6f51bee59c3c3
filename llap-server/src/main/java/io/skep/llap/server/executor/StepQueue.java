package io.skep.llap.server.executor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Steps in the order in which they should run. Queries fall through levels as they consume time; each level gets twice the
 * executors' time of the next, so that young queries go first and old ones never starve. Within a level steps take turns.
 */
final class StepQueue {
    /** Consumed time at which a query falls to the next level. */
    private static final long[] THRESHOLD_NANOS = {100_000_000L, 1_000_000_000L, 10_000_000_000L, 60_000_000_000L};

    /** A step of a query, waiting. */
    record Waiting(QueryShare query, Step step) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final List<Queue<Waiting>> levels = new ArrayList<>();
    private final double[] weightedTime = new double[THRESHOLD_NANOS.length + 1];
    private int size;
    private boolean closed;

    StepQueue() {
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

    /** False when the queue is closed. */
    boolean add(Waiting waiting) {
        int level = level(waiting.query().consumedNanos());
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (levels.get(level).isEmpty()) {
                catchUp(level);
            }
            levels.get(level).add(waiting);
            size++;
            notEmpty.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A level that was empty has no claim to the time that it did not need. */
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

    /** The next step, waiting for one; null when the queue is closed. */
    @Nullable
    Waiting take() {
        lock.lock();
        try {
            while (size == 0 && !closed) {
                notEmpty.awaitUninterruptibly();
            }
            if (closed) {
                return null;
            }
            size--;
            return levels.get(next()).remove();
        } finally {
            lock.unlock();
        }
    }

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
     * Charges the level that a query was on with time that it has used.
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
