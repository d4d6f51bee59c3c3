package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.server.executor.IoPool;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task's output. Readers may arrive before the producer. The first caller that asks for a partition creates it, and
 * {@link #begin} determines how it is kept. Thread-safe.
 */
final class OutputBuffer implements TaskOutput {
    private static final CompletableFuture<?> NOT_BLOCKED = CompletableFuture.completedFuture(null);

    private final MemoryPool memory;
    private final SpilledRows spilled;
    private final IoPool io;
    private final Map<Integer, PartitionLog> logs = new ConcurrentHashMap<>();
    private final AtomicLong bufferedBytes = new AtomicLong();
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> full = new AtomicReference<>();
    private volatile @Nullable OutputConfig config;
    private volatile @Nullable SkepException ended;

    OutputBuffer(MemoryPool memory, SpillSpace spill, IoPool io) {
        this.memory = memory;
        this.spilled = new SpilledRows(spill);
        this.io = io;
    }

    /** Sets how the output is kept. Called once, before the first row. */
    void begin(OutputConfig newConfig) {
        config = newConfig;
        int count = newConfig.broadcast() ? 1 : newConfig.partitions();
        for (int i = 0; i < count; i++) {
            log(i).begin(
                            newConfig.broadcast() ? newConfig.partitions() * newConfig.readers() : newConfig.readers(),
                            newConfig.retained());
        }
    }

    /** Opens a reader of a partition. A broadcast output has one partition, 0. */
    LogReader reader(int partition) {
        return log(partition).reader();
    }

    private PartitionLog log(int partition) {
        PartitionLog log =
                logs.computeIfAbsent(partition, number -> new PartitionLog(memory, spilled, io, this::bufferedBy));
        SkepException reason = ended;
        if (reason != null) {
            log.close(reason);
        }
        return log;
    }

    private void bufferedBy(long bytes) {
        long now = bufferedBytes.addAndGet(bytes);
        OutputConfig known = config;
        if (bytes < 0 && known != null && now <= known.maxBufferedBytes()) {
            CompletableFuture<@Nullable Void> waiting = full.getAndSet(null);
            if (waiting != null) {
                // Completing it may run a producer's step, which only queues the producer.
                waiting.complete(null);
            }
        }
    }

    @Override
    public int partitions() {
        return config().partitions();
    }

    /** Returns the partition sizes of a complete output. */
    PartitionSizes sizes() {
        OutputConfig known = config();
        if (!known.retained() || known.broadcast() || known.partitions() == 1) {
            return PartitionSizes.NONE;
        }
        long[] bytes = new long[known.partitions()];
        Arrays.setAll(bytes, partition -> log(partition).addedBytes());
        return PartitionSizes.of(bytes);
    }

    private OutputConfig config() {
        OutputConfig known = config;
        if (known == null) {
            throw new IllegalStateException("the output has not begun");
        }
        return known;
    }

    @Override
    public CompletableFuture<?> blocked() {
        if (bufferedBytes.get() <= config().maxBufferedBytes() || ended != null) {
            return NOT_BLOCKED;
        }
        CompletableFuture<@Nullable Void> waiting = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> present = full.compareAndExchange(null, waiting);
        if (present != null) {
            waiting = present;
        }
        if (bufferedBytes.get() <= config().maxBufferedBytes() || ended != null) {
            full.compareAndSet(waiting, null);
            waiting.complete(null);
        }
        return waiting;
    }

    @Override
    public void add(int partition, Batch batch) {
        if (!config().broadcast() || partition == 0) {
            log(partition).add(batch);
        }
    }

    @Override
    public void finish() {
        logs.values().forEach(PartitionLog::finish);
    }

    @Override
    public boolean hasReaders() {
        if (ended != null) {
            return false;
        }
        for (PartitionLog log : logs.values()) {
            if (!log.abandoned()) {
                return true;
            }
        }
        return false;
    }

    /** Reports that the producer has failed. Readers fail with its reason. */
    void fail(SkepException reason) {
        logs.values().forEach(log -> log.fail(reason));
    }

    /** Frees everything. Waiting readers fail. */
    void close(SkepException reason) {
        ended = reason;
        logs.values().forEach(log -> log.close(reason));
        spilled.close();
        CompletableFuture<@Nullable Void> waiting = full.getAndSet(null);
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}
