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
 * A query that is run again when it fails before rows of it have gone out, if there is a way that may be better. A small result
 * goes out when it is whole ({@link KeptRows}); once rows have gone out a failure is final. Guarded by itself.
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

    private static final CompletableFuture<Boolean> GATHERED = CompletableFuture.completedFuture(true);

    private final NextRun again;
    private final Executor starts;
    private final KeptRows kept;

    /** The last one is the one that counts. */
    private final List<StageGraphExecution> runs = new ArrayList<>();

    private int tries = 1;
    private Optional<SkepException> cancelled = Optional.empty();
    private CompletableFuture<Boolean> starting = CompletableFuture.completedFuture(true);

    /** @param starts where a run is started that comes after a failure: the start may wait */
    RetriedExecution(StageGraphExecution first, NextRun again, Executor starts, KeptRows kept) {
        this.again = again;
        this.kept = kept;
        this.starts = starts;
        runs.add(first);
    }

    private synchronized StageGraphExecution current() {
        return runs.getLast();
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        if (!kept.flowing()) {
            return gather().thenApply(_ -> kept.take()).exceptionallyCompose(this::judge);
        }
        Optional<SkepException> reason = reasonOfCancellation();
        if (reason.isPresent()) {
            return CompletableFuture.failedFuture(reason.get());
        }
        Optional<Batch> ready = kept.take();
        return ready.isPresent() || kept.ended()
                ? CompletableFuture.completedFuture(ready)
                : current().next().exceptionallyCompose(this::judge);
    }

    private synchronized Optional<SkepException> reasonOfCancellation() {
        return cancelled;
    }

    /** Done when rows may go out. */
    private CompletableFuture<Boolean> gather() {
        while (true) {
            CompletableFuture<Optional<Batch>> coming = current().next();
            if (!coming.isDone() || coming.isCompletedExceptionally()) {
                return coming.thenCompose(rows -> kept.add(rows) ? GATHERED : gather());
            }
            if (kept.add(coming.join())) {
                return GATHERED;
            }
        }
    }

    private CompletableFuture<Optional<Batch>> judge(Throwable error) {
        SkepException failure = DirectExecution.asSkepException(error);
        CompletableFuture<Boolean> made = new CompletableFuture<>();
        synchronized (this) {
            if (kept.flowing() || cancelled.isPresent()) {
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
        kept.clear();
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
        return kept.flowing() && failure.code() == StandardErrorCode.DAEMON_LOST
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
        kept.close();
        all.forEach(StageGraphExecution::close);
    }
}
