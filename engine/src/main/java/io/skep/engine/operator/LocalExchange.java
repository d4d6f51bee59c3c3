package io.skep.engine.operator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.rows.RowHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Moves batches from the drivers of some pipelines to the drivers of another pipeline of the same task, through one
 * bounded queue per consumer. Rows are distributed by the hash of their columns, or round-robin if no columns are
 * given.
 */
public final class LocalExchange {
    private static final long MAX_BYTES = 16 << 20;
    private static final int MAX_ROWS = 16 * Batch.TARGET_ROWS;

    private final List<Queue> queues = new ArrayList<>();
    private final List<Integer> hashColumns;
    private final boolean hashed;
    private final AtomicInteger openSinks = new AtomicInteger();
    private final AtomicInteger openSources;

    private LocalExchange(int consumers, List<Integer> hashColumns, boolean hashed) {
        for (int i = 0; i < consumers; i++) {
            queues.add(new Queue());
        }
        this.hashColumns = List.copyOf(hashColumns);
        this.hashed = hashed;
        this.openSources = new AtomicInteger(consumers);
    }

    public static LocalExchange roundRobin(int consumers) {
        return new LocalExchange(consumers, List.of(), false);
    }

    public static LocalExchange hash(int consumers, List<Integer> columns) {
        return new LocalExchange(consumers, columns, true);
    }

    /** Announces sinks. All sinks must be announced before the first one runs. */
    public void expectSinks(int sinks) {
        openSinks.addAndGet(sinks);
    }

    /**
     * Creates an exchange in which each sink feeds the queue of one consumer, in the order of the sinks' creation. The
     * order of rows is preserved.
     */
    public static LocalExchange paired(int pairs) {
        return new LocalExchange(pairs, List.of(), false);
    }

    public Operator sink() {
        return new Sink();
    }

    /** Returns the only sink of a consumer's queue, in a paired exchange. */
    public Operator sinkFor(int consumer) {
        return new PairedSink(queues.get(consumer));
    }

    /** Returns a consumer's queue as an input that can be merged with other inputs. */
    public PageInput input(int consumer) {
        return new QueueInput(new Source(queues.get(consumer)));
    }

    public Operator source(int consumer) {
        return new Source(queues.get(consumer));
    }

    private void sinkDone() {
        if (openSinks.decrementAndGet() == 0) {
            queues.forEach(Queue::end);
        }
    }

    /** A bounded queue of batches. Guarded by its own monitor. Futures are completed outside of the lock. */
    private static final class Queue {
        @GuardedBy("this")
        private final Deque<Batch> batches = new ArrayDeque<>();

        @GuardedBy("this")
        private long bytes;

        @GuardedBy("this")
        private int rows;

        @GuardedBy("this")
        private boolean ended;

        @GuardedBy("this")
        private boolean abandoned;

        @GuardedBy("this")
        private CompletableFuture<@Nullable Void> filled = new CompletableFuture<>();

        @GuardedBy("this")
        private CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();

        synchronized CompletableFuture<?> full() {
            if (abandoned || bytes < MAX_BYTES && rows < MAX_ROWS) {
                return Operator.NOT_BLOCKED;
            }
            if (drained.isDone()) {
                drained = new CompletableFuture<>();
            }
            return drained;
        }

        synchronized CompletableFuture<?> empty() {
            if (ended || !batches.isEmpty()) {
                return Operator.NOT_BLOCKED;
            }
            if (filled.isDone()) {
                filled = new CompletableFuture<>();
            }
            return filled;
        }

        void add(Batch batch) {
            CompletableFuture<@Nullable Void> toComplete;
            synchronized (this) {
                if (abandoned) {
                    return;
                }
                batches.add(batch);
                bytes += batch.retainedBytes();
                rows += batch.rowCount();
                toComplete = filled;
            }
            toComplete.complete(null);
        }

        @Nullable
        Batch poll() {
            CompletableFuture<@Nullable Void> toComplete;
            Batch batch;
            synchronized (this) {
                batch = batches.poll();
                if (batch == null) {
                    return null;
                }
                bytes -= batch.retainedBytes();
                rows -= batch.rowCount();
                toComplete = drained;
            }
            toComplete.complete(null);
            return batch;
        }

        void end() {
            CompletableFuture<@Nullable Void> toComplete;
            synchronized (this) {
                ended = true;
                toComplete = filled;
            }
            toComplete.complete(null);
        }

        void abandon() {
            CompletableFuture<@Nullable Void> toComplete;
            synchronized (this) {
                abandoned = true;
                batches.clear();
                bytes = 0;
                rows = 0;
                toComplete = drained;
            }
            toComplete.complete(null);
        }

        synchronized boolean abandoned() {
            return abandoned;
        }

        synchronized boolean done() {
            return abandoned || ended && batches.isEmpty();
        }
    }

    private final class Sink implements Operator {
        private final RowPartitioner partitioner = new RowPartitioner(queues.size());
        private int turn = System.identityHashCode(this);
        private boolean finished;

        @Override
        public OperatorKind kind() {
            return OperatorKind.EXCHANGE;
        }

        @Override
        public CompletableFuture<?> blocked() {
            for (Queue queue : queues) {
                CompletableFuture<?> full = queue.full();
                if (!full.isDone()) {
                    return full;
                }
            }
            return NOT_BLOCKED;
        }

        @Override
        public boolean needsInput() {
            return !finished;
        }

        @Override
        public void add(Batch batch) {
            if (queues.size() == 1) {
                queues.getFirst().add(batch);
            } else if (hashed) {
                List<Vector> keys = new ArrayList<>();
                hashColumns.forEach(column -> keys.add(batch.column(column)));
                long[] hashes = new long[batch.rowCount()];
                RowHash.hash(keys, batch.rowCount(), hashes);
                for (int i = 0; i < hashes.length; i++) {
                    hashes[i] = Long.rotateLeft(hashes[i] * 0x9E3779B97F4A7C15L, 32);
                }
                partitioner.split(
                        batch,
                        hashes,
                        (partition, part) -> queues.get(partition).add(part));
            } else {
                queues.get(Math.floorMod(turn++, queues.size())).add(batch);
            }
        }

        @Override
        public @Nullable Batch output() {
            return null;
        }

        @Override
        public void finish() {
            if (!finished) {
                finished = true;
                sinkDone();
            }
        }

        @Override
        public boolean finished() {
            if (!finished && openSources.get() == 0) {
                finish();
            }
            return finished;
        }
    }

    private static final class PairedSink implements Operator {
        private final Queue queue;
        private boolean finished;

        PairedSink(Queue queue) {
            this.queue = queue;
        }

        @Override
        public OperatorKind kind() {
            return OperatorKind.EXCHANGE;
        }

        @Override
        public CompletableFuture<?> blocked() {
            return queue.full();
        }

        @Override
        public boolean needsInput() {
            return !finished;
        }

        @Override
        public void add(Batch batch) {
            queue.add(batch);
        }

        @Override
        public @Nullable Batch output() {
            return null;
        }

        @Override
        public void finish() {
            finished = true;
            queue.end();
        }

        @Override
        public boolean finished() {
            return finished || queue.abandoned();
        }
    }

    private record QueueInput(Source source) implements PageInput {
        @Override
        public CompletableFuture<Optional<Batch>> next() {
            Batch batch = source.output();
            if (batch != null || source.finished()) {
                return CompletableFuture.completedFuture(Optional.ofNullable(batch));
            }
            return source.blocked().thenCompose(ignored -> next());
        }

        @Override
        public void close() {
            source.close();
        }
    }

    private final class Source extends SourceOperator {
        private final Queue queue;
        private boolean closed;

        Source(Queue queue) {
            this.queue = queue;
        }

        @Override
        public OperatorKind kind() {
            return OperatorKind.EXCHANGE;
        }

        @Override
        public CompletableFuture<?> blocked() {
            return queue.empty();
        }

        @Override
        public @Nullable Batch output() {
            return queue.poll();
        }

        @Override
        public boolean finished() {
            return queue.done();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                openSources.decrementAndGet();
                queue.abandon();
            }
        }
    }
}
