package io.skep.service.session;

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
 * The threads that commands, definitions and metadata calls run on. They are threads of the system, since what they do
 * themselves needs the processor. Each work gets a thread at once as long as fewer than the limit are at work; further
 * work waits in its order, and is taken by threads whose work has ended. A few threads stay for a while, since starting
 * one costs as much as a small command. Thread-safe; all fields are guarded by this, and nothing runs with the lock
 * held.
 */
final class CommandThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CommandThreads.class);

    private static final int MAX_IDLE_THREADS = 16;
    private static final Duration IDLE_TIME = Duration.ofSeconds(10);

    private final int mostThreads;
    private final int mostWaiting;
    private final Queue<Work> waiting = new ArrayDeque<>();
    private int threads;

    /** Of the threads, those that wait for work. */
    private int idleThreads;

    /** What is to be done for an operation; {@code run} returns at once when the operation has ended. */
    private record Work(Operation operation, Runnable run) {}

    /** @param mostWaiting work that may wait for a thread, without that of operations that have ended */
    CommandThreads(int mostThreads, int mostWaiting) {
        this.mostThreads = mostThreads;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Has an operation run, now or when others have ended.
     *
     * @throws SkepException QUEUE_FULL when too many wait, or when the machine gives no thread
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

    /** Whether the work is to get a thread of its own; else it waits. {@code ended} gets what waits no longer. */
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

    /** Work that got no thread waits for one that is at work; false when there is none. */
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

    /**
     * A failure that an operation does not take for its own must not take the thread's place among the others with it.
     */
    private static void run(Work work) {
        try {
            work.run().run();
        } catch (RuntimeException | Error e) {
            LOG.error("command {} has failed", work.operation().queryId(), e);
        }
    }

    /** The work that has waited longest, or that comes within a while; null when the thread is to end. */
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
                // It was meant for the work that has ended.
            }
            next = waiting.poll();
        }
        idleThreads--;
        return next;
    }

    /** Work that waits for a thread. */
    synchronized int waitingCount() {
        return waiting.size();
    }
}
