package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that run commands, definitions and metadata calls. They are platform threads, because these statements
 * need the processor for their own work. Each unit of work starts immediately on a thread while fewer than the limit
 * are running. Further work is queued in order, and threads run it when they finish their work. A few idle threads are
 * kept for some time, because starting a thread costs as much as a small command. Thread-safe. All fields are guarded
 * by this object, and no work runs while the lock is held.
 */
final class CommandThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CommandThreads.class);

    private static final int MAX_IDLE_THREADS = 16;
    private static final Duration IDLE_TIME = Duration.ofSeconds(10);

    private final int mostThreads;
    private final int mostWaiting;

    @GuardedBy("this")
    private final Queue<Work> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private int threads;

    /** The number of threads that wait for work. */
    @GuardedBy("this")
    private int idleThreads;

    /** The work of an operation. {@code run} returns immediately when the operation has ended. */
    private record Work(Operation operation, Runnable run) {}

    /** @param mostWaiting maximum number of queued work units, not counting those of operations that have ended */
    CommandThreads(int mostThreads, int mostWaiting) {
        this.mostThreads = mostThreads;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Runs an operation, immediately or when others have finished.
     *
     * @throws SkepException QUEUE_FULL when the queue is full, or when the system cannot create a thread
     */
    void start(Operation operation, Runnable run) {
        Work work = new Work(operation, run);
        List<Work> ended = new ArrayList<>();
        boolean isTaken = take(work, ended);
        ended.forEach(one -> one.run().run());
        if (isTaken) {
            startThread(work);
        }
    }

    /**
     * Returns whether the work needs a new thread. Otherwise it is queued. {@code ended} receives the work that leaves
     * the queue because its operation has ended.
     */
    private synchronized boolean take(Work work, List<Work> ended) {
        if (idleThreads > waiting.size()) {
            waiting.add(work);
            notify();
            return false;
        }
        if (threads < mostThreads) {
            threads++;
            return true;
        }
        if (waiting.size() >= mostWaiting) {
            removeEnded(ended);
        }
        if (waiting.size() >= mostWaiting) {
            throw new SkepException(
                            StandardErrorCode.QUEUE_FULL,
                            threads + " commands run and " + waiting.size() + " wait for their end, as many as may")
                    .withHint("try again later, or raise " + SessionConfig.MAX_COMMANDS.name());
        }
        waiting.add(work);
        return false;
    }

    @GuardedBy("this")
    private void removeEnded(List<Work> ended) {
        for (Iterator<Work> all = waiting.iterator(); all.hasNext(); ) {
            Work one = all.next();
            if (one.operation().state().isTerminal()) {
                all.remove();
                ended.add(one);
            }
        }
    }

    private void startThread(Work first) {
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name(first.operation().queryId().value())
                    .start(() -> work(first));
        } catch (OutOfMemoryError e) {
            LOG.warn("no thread could be started for a command: {}", e.toString());
            if (waits(first)) {
                return;
            }
            throw new SkepException(StandardErrorCode.QUEUE_FULL, "the machine gives the server no more threads", e)
                    .withHint("raise the limit of threads of the server's user, or try again later");
        }
    }

    /**
     * Queues work for which no thread could be created, when other threads are running. Returns false when there are
     * none.
     */
    private synchronized boolean waits(Work work) {
        threads--;
        return threads > 0 && waiting.add(work);
    }

    private void work(Work first) {
        for (Work next = first; next != null; next = next()) {
            Thread.currentThread().setName(next.operation().queryId().value());
            run(next);
        }
    }

    /** A failure that an operation does not handle must not terminate the thread. */
    private static void run(Work work) {
        try {
            work.run().run();
        } catch (RuntimeException | Error e) {
            LOG.error("command {} has failed", work.operation().queryId(), e);
        }
    }

    /**
     * Returns the oldest queued work, or work that arrives within some time. Returns null when the thread must
     * terminate.
     */
    private synchronized @Nullable Work next() {
        // An interrupt was meant for the work that has ended.
        var _ = Thread.interrupted();
        Work next = waiting.poll();
        if (next == null && idleThreads < MAX_IDLE_THREADS) {
            next = awaitWork();
        }
        if (next == null) {
            threads--;
        }
        return next;
    }

    private synchronized @Nullable Work awaitWork() {
        Thread.currentThread().setName("command-idle");
        idleThreads++;
        long end = System.nanoTime() + IDLE_TIME.toNanos();
        Work next = waiting.poll();
        for (long left = IDLE_TIME.toNanos(); next == null && left > 0; left = end - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // The interrupt was meant for the work that has ended.
            }
            next = waiting.poll();
        }
        idleThreads--;
        return next;
    }

    /** Returns the number of queued work units. */
    synchronized int waitingCount() {
        return waiting.size();
    }
}
