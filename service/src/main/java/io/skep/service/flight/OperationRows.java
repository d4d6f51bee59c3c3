package io.skep.service.flight;

import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The rows of an operation. One call at a time. */
final class OperationRows implements PageStream {
    static final int ROWS = Batch.TARGET_ROWS;

    static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    /** Each wait for rows has its own thread, which holds no other one back. */
    static final Executor WAITS = work -> Thread.ofVirtual().name("flight-rows").start(work);

    private final Operation operation;
    private final Queue<Batch> read = new ArrayDeque<>();
    private boolean last;

    OperationRows(Operation operation) {
        this.operation = operation;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        Batch ready = read.poll();
        return ready != null
                ? CompletableFuture.completedFuture(Optional.of(ready))
                : CompletableFuture.supplyAsync(this::fetch, WAITS);
    }

    private Optional<Batch> fetch() {
        operation.await(FOREVER);
        while (read.isEmpty() && !last) {
            ResultPage page = operation.fetch(ROWS);
            read.addAll(page.batches());
            last = !page.hasMore();
        }
        return Optional.ofNullable(read.poll());
    }

    @Override
    public void close() {
        operation.cancel("the reader has ended");
    }
}
