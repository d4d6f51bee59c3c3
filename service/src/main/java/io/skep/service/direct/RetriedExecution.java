package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A query that is run again when it fails before its first row, if there is a way that may be better. Once rows have gone out
 * its failure is final. Guarded by itself.
 */
final class RetriedExecution implements StageGraphExecution {
    /** Chooses how a query is run after a failure. */
    @FunctionalInterface
    interface NextRun {
        /**
         * Starts the query once more.
         *
         * @param tries how many times that has been tried before, the first run included
         * @return nothing when the failure is final
         * @throws SkepException when it could not be started, which is one more failure
         */
        Optional<StageGraphExecution> after(SkepException failure, int tries);
    }

    private final NextRun again;
    private final Executor starts;

    /** The last one is the one that counts. */
    private final List<StageGraphExecution> runs = new ArrayList<>();

    private int tries = 1;
    private boolean delivered;
    private Optional<SkepException> cancelled = Optional.empty();
    private CompletableFuture<Boolean> starting = CompletableFuture.completedFuture(true);

    /** @param starts where a run is started that comes after a failure: the start may wait */
    RetriedExecution(StageGraphExecution first, NextRun again, Executor starts) {
        this.again = again;
        this.starts = starts;
        runs.add(first);
    }

    private synchronized StageGraphExecution current() {
        return runs.getLast();
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return current().next().thenApply(this::deliver).exceptionallyCompose(this::judge);
    }

    private synchronized Optional<Batch> deliver(Optional<Batch> rows) {
        delivered = true;
        return rows;
    }

    private CompletableFuture<Optional<Batch>> judge(Throwable error) {
        SkepException failure = DirectExecution.asSkepException(error);
        CompletableFuture<Boolean> made = new CompletableFuture<>();
        synchronized (this) {
            if (delivered || cancelled.isPresent()) {
                return CompletableFuture.failedFuture(explained(failure));
            }
            starting = made;
        }
        // The start may wait for a daemon, and whoever has brought the failure may be needed to connect to it.
        starts.execute(() -> {
            try {
                made.complete(runAgain(failure));
            } catch (RuntimeException | Error e) {
                made.completeExceptionally(e);
            }
        });
        return made.thenCompose(again -> again ? next() : CompletableFuture.failedFuture(explained(failure)));
    }

    private boolean runAgain(SkepException failure) {
        int before;
        synchronized (this) {
            if (cancelled.isPresent()) {
                return false;
            }
            before = tries++;
        }
        Optional<StageGraphExecution> next;
        try {
            next = again.after(failure, before);
        } catch (SkepException e) {
            return runAgain(e);
        }
        next.ifPresent(this::adopt);
        return next.isPresent();
    }

    private void adopt(StageGraphExecution run) {
        Optional<SkepException> late;
        synchronized (this) {
            runs.add(run);
            late = cancelled;
        }
        late.ifPresent(run::cancel);
    }

    private synchronized SkepException explained(SkepException failure) {
        return delivered && failure.code() == StandardErrorCode.DAEMON_LOST
                ? failure.withHint("rows had already gone out, so the query was not run again by itself: run it again")
                : failure;
    }

    @Override
    public void cancel(SkepException reason) {
        synchronized (this) {
            cancelled = cancelled.or(() -> Optional.of(reason));
        }
        current().cancel(reason);
    }

    @Override
    public ExecutionFigures figures() {
        return current().figures();
    }

    @Override
    public void close() {
        CompletableFuture<Boolean> last;
        synchronized (this) {
            cancelled = cancelled.or(
                    () -> Optional.of(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed")));
            last = starting;
        }
        last.handle((started, failure) -> started).join();
        List<StageGraphExecution> all;
        synchronized (this) {
            all = List.copyOf(runs);
        }
        all.forEach(StageGraphExecution::close);
    }
}
