package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A query that is run a second time, elsewhere, when it fails for want of resources before its first row. Guarded by itself. */
final class RetriedExecution implements StageGraphExecution {
    private static final Set<StandardErrorCode> WANT_OF_RESOURCES =
            EnumSet.of(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, StandardErrorCode.QUEUE_FULL);

    private final StageGraphExecution first;
    private final Supplier<StageGraphExecution> again;
    private @Nullable StageGraphExecution second;
    private @Nullable SkepException cancelled;
    private boolean delivered;

    RetriedExecution(StageGraphExecution first, Supplier<StageGraphExecution> again) {
        this.first = first;
        this.again = again;
    }

    private synchronized StageGraphExecution current() {
        return second == null ? first : second;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        StageGraphExecution running = current();
        CompletableFuture<Optional<Batch>> rows = running.next();
        return running == first ? rows.handle(this::judge).thenCompose(outcome -> outcome) : rows;
    }

    private CompletableFuture<Optional<Batch>> judge(@Nullable Optional<Batch> rows, @Nullable Throwable error) {
        if (error == null && rows != null) {
            synchronized (this) {
                delivered = true;
            }
            return CompletableFuture.completedFuture(rows);
        }
        SkepException failure = DirectExecution.asSkepException(error == null ? new IllegalStateException() : error);
        StageGraphExecution retry = retry(failure);
        return retry == null ? CompletableFuture.failedFuture(failure) : retry.next();
    }

    private synchronized @Nullable StageGraphExecution retry(SkepException failure) {
        if (delivered || cancelled != null || !WANT_OF_RESOURCES.contains(failure.code())) {
            return null;
        }
        StageGraphExecution retry = again.get();
        second = retry;
        return retry;
    }

    @Override
    public void cancel(SkepException reason) {
        synchronized (this) {
            cancelled = reason;
        }
        current().cancel(reason);
    }

    @Override
    public ExecutionFigures figures() {
        return current().figures();
    }

    @Override
    public void close() {
        first.close();
        StageGraphExecution running = current();
        if (running != first) {
            running.close();
        }
    }
}
