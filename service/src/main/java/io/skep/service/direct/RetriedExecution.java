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

/**
 * A query that is run a second time, elsewhere, when it fails for want of resources, or of a daemon, before its first row.
 * Guarded by itself.
 */
final class RetriedExecution implements StageGraphExecution {
    private static final Set<StandardErrorCode> WORTH_ANOTHER_RUN = EnumSet.of(
            StandardErrorCode.MEMORY_LIMIT_EXCEEDED, StandardErrorCode.QUEUE_FULL, StandardErrorCode.DAEMON_LOST);

    private final StageGraphExecution first;
    private final Supplier<StageGraphExecution> again;
    private Optional<StageGraphExecution> second = Optional.empty();
    private boolean delivered;
    private boolean cancelled;

    RetriedExecution(StageGraphExecution first, Supplier<StageGraphExecution> again) {
        this.first = first;
        this.again = again;
    }

    private synchronized Optional<StageGraphExecution> second() {
        return second;
    }

    private StageGraphExecution current() {
        return second().orElse(first);
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        Optional<StageGraphExecution> retry = second();
        return retry.isPresent()
                ? retry.get().next()
                : first.next().thenApply(this::deliver).exceptionallyCompose(this::judge);
    }

    private synchronized Optional<Batch> deliver(Optional<Batch> rows) {
        delivered = true;
        return rows;
    }

    private CompletableFuture<Optional<Batch>> judge(Throwable error) {
        SkepException failure = DirectExecution.asSkepException(error);
        return retry(failure).map(StageGraphExecution::next).orElseGet(() -> CompletableFuture.failedFuture(failure));
    }

    private synchronized Optional<StageGraphExecution> retry(SkepException failure) {
        if (!delivered && !cancelled && WORTH_ANOTHER_RUN.contains(failure.code())) {
            second = Optional.of(again.get());
        }
        return second;
    }

    @Override
    public void cancel(SkepException reason) {
        synchronized (this) {
            cancelled = true;
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
        second().ifPresent(StageGraphExecution::close);
    }
}
