package io.skep.ql.compaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.concurrent.EventCount;
import io.skep.common.error.SkepException;
import io.skep.metastore.transaction.CompactionStore.Turn;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compactions of a server: workers, the cleaner and the initiator, each on threads of their own, so that they take
 * none of those of queries. Their priority is the lowest, where the JVM passes priorities on to the system. Initiator
 * and cleaner work in one server at a time. The threads start when a transactional table is used first, or at once
 * where the server is to initiate compactions. Fields are guarded by this.
 */
public final class CompactionService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionService.class);

    /** The time after which a worker looks for what other servers have requested. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final String WORKER = "compaction-worker-";
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(20);

    private final CompactionParts parts;
    private final CompactionConfig config;
    private final String prefix;
    private final InstantSource clock;

    @GuardedBy("this")
    private final List<Thread> threads = new ArrayList<>();

    @GuardedBy("this")
    private boolean started;

    @GuardedBy("this")
    private boolean closing;

    /** What may give the threads work. */
    private final EventCount events = new EventCount();

    /** @param server identifies the server among those of a database, also after a restart */
    public CompactionService(CompactionParts parts, CompactionConfig config, String server, InstantSource clock) {
        this.parts = parts;
        this.config = config;
        this.clock = clock;
        this.prefix = parts.transactions().serverName() + "." + server + "-";
        parts.transactions().whenUsed(this::start);
        parts.queue().whenRequested(this::requested);
        if (config.isInitiating()) {
            start();
        }
    }

    private void requested() {
        start();
        events.advance();
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private synchronized void start() {
        if (started || closing) {
            return;
        }
        started = true;
        if (config.workers() > 0) {
            start("compaction-start", this::startWorkers);
        }
        if (config.isCleaning()) {
            CompactionCleaner cleaner = new CompactionCleaner(parts, config.thresholds(), clock, this::isClosing);
            start("compaction-cleaner", () -> repeat(config.cleanings(), () -> inTurn(Turn.CLEANER, cleaner::run)));
        }
        if (config.isInitiating()) {
            CompactionInitiator initiator =
                    new CompactionInitiator(parts, config, prefix + "initiator", clock, this::isClosing);
            start("compaction-initiator", () -> repeat(config.checks(), () -> inTurn(Turn.INITIATOR, initiator::run)));
        }
    }

    /** Gives back the compactions that this server had taken when it was killed, before it takes others. */
    private void startWorkers() {
        while (!attempt("give back compactions", () -> parts.queue().revoke(prefix))) {
            if (!events.await(events.read(), LOOK)) {
                return;
            }
        }
        String version = String.valueOf(CompactionService.class.getPackage().getImplementationVersion());
        synchronized (this) {
            for (int i = 0; i < config.workers() && !closing; i++) {
                CompactionWorker worker = new CompactionWorker(parts, prefix + i, version);
                start(WORKER + i, () -> repeat(LOOK, () -> runAll(worker)));
            }
        }
    }

    @GuardedBy("this")
    @SuppressWarnings("ThreadPriorityCheck")
    private void start(String name, Runnable work) {
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .priority(Thread.MIN_PRIORITY)
                .unstarted(work);
        threads.add(thread);
        thread.start();
    }

    private boolean inTurn(Turn turn, Runnable work) {
        parts.queue().inTurn(turn, work);
        return false;
    }

    /** Carries out all compactions that wait. */
    private boolean runAll(CompactionWorker worker) {
        boolean any = false;
        while (!isClosing() && worker.runNext()) {
            any = true;
        }
        return any;
    }

    /** @param work returns whether others may have work now */
    private void repeat(Duration pause, BooleanSupplier work) {
        while (true) {
            long seen = events.read();
            attempt("compact", () -> {
                if (work.getAsBoolean()) {
                    events.advance();
                }
            });
            if (!events.await(seen, pause)) {
                return;
            }
        }
    }

    /** Returns whether the work did not fail. */
    private boolean attempt(String what, Runnable work) {
        try {
            work.run();
            return true;
        } catch (SkepException e) {
            if (!isClosing()) {
                LOG.warn("failed to {}, it is tried again: {}", what, e.fullMessage());
            }
        } catch (RuntimeException | Error e) {
            // A thread that ended would do no work until the server starts again.
            if (!isClosing()) {
                LOG.warn("failed to {}, it is tried again", what, e);
            }
        }
        return false;
    }

    /**
     * Ends running compactions, whose transactions are aborted, and gives them back. Waits for the threads, but not for
     * a file system that does not respond.
     */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            closing = true;
            events.close();
            running = List.copyOf(threads);
        }
        running.stream().filter(thread -> thread.getName().startsWith(WORKER)).forEach(Thread::interrupt);
        long end = System.nanoTime() + LONGEST_CLOSE.toNanos();
        try {
            for (Thread thread : running) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (config.workers() > 0 && !running.isEmpty()) {
            try {
                parts.queue().revoke(prefix);
            } catch (SkepException e) {
                LOG.warn("compactions are given back at the next start: {}", e.fullMessage());
            }
        }
    }
}
