package io.skep.llap.client.rpc;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resources that all connections of a process share: one worker thread per core, however many connections there are,
 * one timer thread, and the memory for large pages. Nothing that runs on these threads waits.
 */
public final class RpcThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RpcThreads.class);

    /** At least this many threads, so that one long message, such as a plan to decode, does not block all others. */
    private static final int LEAST = 4;

    /** Decoding plans is recursive. */
    private static final long STACK_BYTES = 4 << 20;

    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final PageBudget largePages = PageBudget.ofHeap();

    public RpcThreads(String name) {
        int count = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
        // Work that arrives after shutdown is the last messages of closed connections. Nothing waits for them, so they
        // are discarded.
        this.workers = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads(name),
                new ThreadPoolExecutor.DiscardPolicy());
        this.timer = Executors.newSingleThreadScheduledExecutor(threads(name + "-timer"));
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> Thread.ofPlatform()
                .daemon()
                .stackSize(STACK_BYTES)
                .name(name + "-" + number.incrementAndGet())
                .unstarted(work);
    }

    public Executor workers() {
        return workers;
    }

    PageBudget largePages() {
        return largePages;
    }

    /**
     * Runs a short action repeatedly until it is cancelled. Each run starts that many nanoseconds after the previous
     * one has finished.
     */
    public Future<?> every(long nanos, Runnable action) {
        return timer.scheduleWithFixedDelay(() -> runLogged(action), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Logs a failure, so that it does not stop the repetition. */
    private static void runLogged(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.error("What was to happen on the timer has failed", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdown();
    }
}
