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
 * What all connections of a process share: threads, as many as it has cores however many connections there are, one for what is to
 * happen later, and the memory of large pages. None of what runs on the threads waits.
 */
public final class RpcThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RpcThreads.class);

    /** So that one long message, such as a plan to decode, does not keep all others waiting. */
    private static final int LEAST = 4;

    /** Plans are read by descending into them. */
    private static final long STACK_BYTES = 4 << 20;

    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final PageBudget largePages = PageBudget.ofHeap();

    public RpcThreads(String name) {
        int count = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
        // What comes after the end are the last words of connections that are closed: nobody listens.
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

    /** Runs something short again and again, so long after it has ended each time, until it is cancelled. */
    public Future<?> every(long nanos, Runnable action) {
        return timer.scheduleWithFixedDelay(() -> runLogged(action), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** One failure does not end what is to happen again. */
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
