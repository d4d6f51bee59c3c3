package io.skep.engine.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.exchange.TaskOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A task's output that is kept in memory until the query ends. Several readers may read each partition. Guarded by its
 * own monitor. Futures are completed outside of the lock.
 */
final class MemoryOutput implements TaskOutput {
    private final List<List<Batch>> partitions = new ArrayList<>();

    @GuardedBy("this")
    private boolean finished;

    @GuardedBy("this")
    private int expectedReaders;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    @GuardedBy("this")
    private CompletableFuture<@Nullable Void> change = new CompletableFuture<>();

    /**
     * @param expectedReaders number of readers over all partitions; when all of them are closed, the output is not
     *     wanted any more
     */
    MemoryOutput(int partitions, int expectedReaders) {
        for (int i = 0; i < partitions; i++) {
            this.partitions.add(new ArrayList<>());
        }
        this.expectedReaders = expectedReaders;
    }

    @Override
    public int partitions() {
        return partitions.size();
    }

    @Override
    public CompletableFuture<?> blocked() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void add(int partition, Batch batch) {
        CompletableFuture<@Nullable Void> changed;
        synchronized (this) {
            partitions.get(partition).add(batch);
            changed = renew();
        }
        changed.complete(null);
    }

    @Override
    public void finish() {
        CompletableFuture<@Nullable Void> changed;
        synchronized (this) {
            finished = true;
            changed = renew();
        }
        changed.complete(null);
    }

    void fail(SkepException reason) {
        CompletableFuture<@Nullable Void> changed;
        synchronized (this) {
            failure = failure == null ? reason : failure;
            changed = renew();
        }
        changed.complete(null);
    }

    @Override
    public synchronized boolean hasReaders() {
        return expectedReaders > 0;
    }

    @GuardedBy("this")
    private CompletableFuture<@Nullable Void> renew() {
        CompletableFuture<@Nullable Void> old = change;
        change = new CompletableFuture<>();
        return old;
    }

    PageInput reader(int partition) {
        return new Reader(partition);
    }

    private synchronized void readerClosed() {
        expectedReaders--;
    }

    private final class Reader implements PageInput {
        private final int partition;
        private int next;

        @GuardedBy("MemoryOutput.this")
        private boolean closed;

        Reader(int partition) {
            this.partition = partition;
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            synchronized (MemoryOutput.this) {
                if (closed) {
                    return CompletableFuture.failedFuture(
                            new SkepException(StandardErrorCode.OPERATION_CANCELED, "the input is closed"));
                }
                if (failure != null) {
                    return CompletableFuture.failedFuture(failure);
                }
                List<Batch> batches = partitions.get(partition);
                if (next < batches.size()) {
                    return CompletableFuture.completedFuture(Optional.of(batches.get(next++)));
                }
                return finished ? CompletableFuture.completedFuture(Optional.empty()) : change.thenCompose(_ -> next());
            }
        }

        @Override
        public void close() {
            synchronized (MemoryOutput.this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            readerClosed();
        }
    }
}
