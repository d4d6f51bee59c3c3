package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.Failures;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.ql.execution.RetryPolicy.Decision;
import io.skep.ql.execution.RetryPolicy.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run of one plan, with the number of attempts that {@link RetryPolicy} allows. A small result is sent only when it
 * is complete ({@link KeptRows}), so that a client has seen no row of an attempt that fails. It may be cancelled and
 * closed at any time, by any thread.
 *
 * <p>The first attempt is started by the thread that calls {@link #start}. Further ones are started on other threads,
 * since a start may wait for something that the thread that reports a failure has to do. Cancelling or closing the run
 * interrupts a listing. A failed attempt frees by itself what it holds elsewhere. It is closed with the whole run, and
 * never on the thread that reported its failure, since its end may wait for that thread. Fields are guarded by this.
 */
public final class QueryRun implements StageGraphExecution {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRun.class);
    private static final CompletableFuture<Boolean> GATHERED = CompletableFuture.completedFuture(true);

    private final AttemptLoop loop;
    private final Executor starts;

    /** The last one is the current one. */
    @GuardedBy("this")
    private final List<StageGraphExecution> attempts = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable SkepException cancelled;

    @GuardedBy("this")
    private Start last = Start.none();

    /**
     * The start of an attempt.
     *
     * @param outcome completes when an attempt is started, or none will be; a cancellation ends the wait for it
     * @param end completes when the thread that starts attempts has finished
     */
    private record Start(CompletableFuture<Boolean> outcome, CompletableFuture<Boolean> end) {
        static Start begun() {
            return new Start(new CompletableFuture<>(), new CompletableFuture<>());
        }

        static Start none() {
            Start none = begun();
            none.done();
            return none;
        }

        void done() {
            end.complete(true);
            outcome.complete(true);
        }

        void failed(Throwable error) {
            end.complete(false);
            outcome.completeExceptionally(error);
        }
    }

    QueryRun(AttemptLoop loop, Executor starts) {
        this.loop = loop;
        this.starts = starts;
    }

    /**
     * Starts the first attempt on the calling thread. Called once.
     *
     * @throws SkepException when no attempt could be started, or the run was cancelled
     */
    public void start(RunListener listener) {
        loop.tell(listener);
        Start first = begin();
        launch(Decision.LIST_AGAIN, first);
        await(first.outcome());
    }

    private static <T> T await(CompletableFuture<T> coming) {
        try {
            return coming.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case RuntimeException known -> known;
                case Error known -> throw known;
                case null, default -> e;
            };
        }
    }

    private synchronized Start begin() {
        requireWanted();
        last = Start.begun();
        return last;
    }

    private void launch(Decision how, Start begun) {
        try {
            adopt(loop.launch(how, this::requireWanted));
            begun.done();
        } catch (RuntimeException | Error e) {
            loop.giveUpFilling();
            begun.failed(e);
        }
    }

    private CompletableFuture<Boolean> startAside(Decision how) {
        Start begun;
        try {
            begun = begin();
        } catch (SkepException e) {
            return CompletableFuture.failedFuture(e);
        }
        try {
            starts.execute(() -> launch(how, begun));
        } catch (RuntimeException | Error e) {
            begun.failed(e);
        }
        return begun.outcome();
    }

    private synchronized void requireWanted() {
        if (cancelled != null) {
            throw cancelled;
        }
    }

    private void adopt(StageGraphExecution attempt) {
        SkepException late;
        synchronized (this) {
            attempts.add(attempt);
            late = cancelled;
        }
        if (late != null) {
            attempt.cancel(late);
        }
    }

    private synchronized StageGraphExecution current() {
        if (attempts.isEmpty()) {
            throw new IllegalStateException("the query has not been started");
        }
        return attempts.getLast();
    }

    private KeptRows kept() {
        KeptRows kept = loop.kept();
        if (kept == null) {
            throw new IllegalStateException("the query has not been started");
        }
        return kept;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        KeptRows kept = kept();
        if (!kept.flowing()) {
            return gather(kept).thenApply(_ -> kept.take()).exceptionallyCompose(this::judge);
        }
        SkepException reason = reasonOfCancellation();
        if (reason != null) {
            return CompletableFuture.failedFuture(reason);
        }
        Optional<Batch> ready = kept.take();
        return ready.isPresent() || kept.ended()
                ? CompletableFuture.completedFuture(ready)
                : current().next().exceptionallyCompose(this::judge);
    }

    /** As {@link #next}, but blocks until the rows arrive. */
    public Optional<Batch> nextRows() {
        return await(next());
    }

    private synchronized @Nullable SkepException reasonOfCancellation() {
        return cancelled;
    }

    /** Returns a future that completes when rows may be sent. */
    private CompletableFuture<Boolean> gather(KeptRows kept) {
        while (true) {
            CompletableFuture<Optional<Batch>> coming = current().next();
            if (!coming.isDone() || coming.isCompletedExceptionally()) {
                return coming.thenCompose(rows -> add(rows, kept) ? GATHERED : gather(kept));
            }
            if (add(coming.join(), kept)) {
                return GATHERED;
            }
        }
    }

    private boolean add(Optional<Batch> rows, KeptRows kept) {
        boolean flows = kept.add(rows);
        if (flows) {
            loop.gathered(kept);
        }
        return flows;
    }

    private CompletableFuture<Optional<Batch>> judge(Throwable error) {
        loop.giveUpFilling();
        SkepException failure = Failures.asSkepException(error);
        Decision decision = decide(failure, current().mayHaveStarted());
        if (decision == Decision.FAIL) {
            return CompletableFuture.failedFuture(explained(failure));
        }
        kept().restart();
        return startAside(decision)
                .exceptionallyCompose(later -> CompletableFuture.failedFuture(moreTelling(failure, later)))
                .thenCompose(_ -> next());
    }

    private Decision decide(SkepException failure, boolean started) {
        return reasonOfCancellation() == null ? loop.decide(failure, started) : Decision.FAIL;
    }

    /** Returns the more informative failure. A refused next attempt says less than the failure of the previous one. */
    private static SkepException moreTelling(SkepException failure, Throwable later) {
        SkepException why = Failures.asSkepException(later);
        return why.code() == StandardErrorCode.QUEUE_FULL ? failure : why;
    }

    private SkepException explained(SkepException failure) {
        return loop.effect() == Effect.VISIBLE && failure.code() == StandardErrorCode.DAEMON_LOST
                ? failure.withHint("rows had already gone out, so the query was not run again by itself: run it again")
                : failure;
    }

    /**
     * Runs the query once more, if the failure of a step after its last row allows that. Waits until the attempt is
     * started.
     *
     * @return false when the failure is final
     */
    public boolean runAgain(SkepException failure) {
        Decision decision = decide(failure, true);
        if (decision == Decision.FAIL) {
            return false;
        }
        kept().restart();
        await(startAside(decision));
        return true;
    }

    @Override
    public void cancel(SkepException reason) {
        Start waited;
        Optional<StageGraphExecution> running;
        synchronized (this) {
            cancelled = cancelled == null ? reason : cancelled;
            waited = last;
            running = attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
        }
        running.ifPresent(attempt -> attempt.cancel(reason));
        waited.outcome().completeExceptionally(reason);
        loop.giveUpFilling();
        loop.interruptListing();
    }

    @Override
    public synchronized boolean mayHaveStarted() {
        return !attempts.isEmpty();
    }

    /** Returns the statistics of the current attempt. Must be called only when there is one. */
    @Override
    public ExecutionStats stats() {
        return current().stats();
    }

    /**
     * Ends the run and waits until all its resources are freed. A running start is not waited for, for example a
     * listing of a file system that ignores interrupts. The thread of that start frees the resources when it finishes.
     */
    @Override
    public void close() {
        Start ending;
        synchronized (this) {
            if (cancelled == null) {
                // No further attempt is started. Existing attempts end when they are closed.
                cancelled = new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed");
            }
            ending = last;
        }
        loop.interruptListing();
        CompletableFuture<Boolean> freed = ending.end().thenApply(_ -> free());
        if (freed.isDone()) {
            await(freed);
        } else {
            var _ = freed.exceptionally(QueryRun::logged);
        }
    }

    private static boolean logged(Throwable error) {
        LOG.error("a query that was closed has left something", error);
        return false;
    }

    /** Frees all resources. Called when no more attempts are started. */
    private boolean free() {
        loop.giveUpFilling();
        KeptRows kept = loop.kept();
        if (kept != null) {
            kept.close();
        }
        List<StageGraphExecution> all;
        synchronized (this) {
            all = List.copyOf(attempts);
        }
        all.forEach(StageGraphExecution::close);
        return true;
    }
}
