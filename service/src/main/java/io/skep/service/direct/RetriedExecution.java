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

    /** The last one is the one that counts. */
    private final List<StageGraphExecution> runs = new ArrayList<>();

    private int tries = 1;
    private boolean delivered;
    private boolean cancelled;

    RetriedExecution(StageGraphExecution first, NextRun again) {
        this.again = again;
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
        return runAgain(failure) ? next() : CompletableFuture.failedFuture(explained(failure));
    }

    private synchronized boolean runAgain(SkepException failure) {
        if (delivered || cancelled) {
            return false;
        }
        try {
            Optional<StageGraphExecution> next = again.after(failure, tries++);
            next.ifPresent(runs::add);
            return next.isPresent();
        } catch (SkepException e) {
            return runAgain(e);
        }
    }

    private synchronized SkepException explained(SkepException failure) {
        return delivered && failure.code() == StandardErrorCode.DAEMON_LOST
                ? failure.withHint("rows had already gone out, so the query was not run again by itself: run it again")
                : failure;
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
        List<StageGraphExecution> all;
        synchronized (this) {
            cancelled = true;
            all = List.copyOf(runs);
        }
        all.forEach(StageGraphExecution::close);
    }
}
