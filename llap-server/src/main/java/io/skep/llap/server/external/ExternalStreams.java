package io.skep.llap.server.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.arrow.ArrowStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The streams of external readers in a process: how many there are, and their memory and threads. Thread-safe. */
public final class ExternalStreams implements ArrowStream.Place, AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long END_SECONDS = 5;

    private final ExternalConfig config;
    private final BufferAllocator allocator;
    private final ExecutorService executor;
    private final Semaphore permits;
    private final Set<ArrowStream> streams = ConcurrentHashMap.newKeySet();
    private final Future<?> looking;

    /** @param threads whose timer looks for idle readers */
    public ExternalStreams(ExternalConfig config, RpcThreads threads) {
        this.config = config;
        this.allocator = new RootAllocator(config.maxBytes());
        this.permits = new Semaphore(config.maxReads());
        int count = Math.max(2, Runtime.getRuntime().availableProcessors());
        // Steps after the end would free what the daemon frees with the query.
        this.executor = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("external-", 0).factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        this.looking = threads.every(LOOK_NANOS, () -> streams.forEach(stream -> stream.endIfIdle(config.patience())));
    }

    /**
     * Starts a stream.
     *
     * @param creation creates it, and gets what is to be called when it has ended
     * @throws SkepException QUEUE_FULL when there are too many of them
     */
    public void begin(Function<Runnable, ArrowStream> creation) {
        if (!permits.tryAcquire()) {
            throw new SkepException(
                            StandardErrorCode.QUEUE_FULL,
                            "There are " + config.maxReads() + " external reads already in this process")
                    .withHint("try again later, or raise skep.llap.external.max-reads");
        }
        AtomicBoolean over = new AtomicBoolean();
        ArrowStream[] made = new ArrowStream[1];
        Runnable end = () -> {
            if (over.compareAndSet(false, true)) {
                permits.release();
                synchronized (made) {
                    if (made[0] != null) {
                        streams.remove(made[0]);
                    }
                }
            }
        };
        try {
            ArrowStream stream = creation.apply(end);
            synchronized (made) {
                made[0] = stream;
                if (!over.get()) {
                    streams.add(stream);
                }
            }
            stream.start();
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
    }

    /** The memory of all streams. */
    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    /** Runs the steps of streams. */
    @Override
    public ExecutorService executor() {
        return executor;
    }

    /** The number of streams that have not ended. */
    public int count() {
        return config.maxReads() - permits.availablePermits();
    }

    @Override
    public void close() {
        looking.cancel(false);
        streams.forEach(stream -> stream.fail(new SkepException(StandardErrorCode.DAEMON_LOST, "The daemon stops")));
        executor.shutdown();
        try {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
        if (allocator.getAllocatedMemory() == 0) {
            allocator.close();
        }
    }
}
