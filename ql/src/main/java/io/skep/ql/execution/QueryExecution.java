package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one statement, from the arrival of its text to its end. It is the only place that decides between callers
 * that cancel, close or time it out and the threads that compile, run and commit it. {@link QueryState} defines which
 * state may follow which. All fields are guarded by this; no foreign code is called while the lock is held.
 */
public final class QueryExecution implements RunListener {
    private final InstantSource clock;
    private final Consumer<String> log;
    private final Instant created;
    private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

    @GuardedBy("this")
    private QueryState state = QueryState.RECEIVED;

    @GuardedBy("this")
    private Consumer<SkepException> canceller = QueryExecution::nobody;

    @GuardedBy("this")
    private boolean atWork;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    @GuardedBy("this")
    private @Nullable Attempt attempt;

    @GuardedBy("this")
    private @Nullable Instant compiled;

    @GuardedBy("this")
    private @Nullable Instant started;

    @GuardedBy("this")
    private @Nullable Instant completed;

    /** The attempt that runs, and its scheduler. */
    public record Attempt(QueryAttemptId id, Scheduler scheduler) {}

    /** @param log receives the statement's log lines while it runs */
    public QueryExecution(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
        this.created = clock.instant();
    }

    /** The canceller of a statement that has nothing to cancel yet. */
    private static void nobody(SkepException reason) {}

    private synchronized boolean become(QueryState next) {
        boolean may = state.mayBecome(next);
        state = may ? next : state;
        return may;
    }

    /**
     * Records that the text is being compiled, or waits for that.
     *
     * @param cancel cancels the compilation; called at once when the statement has already ended
     */
    public void compiling(Consumer<SkepException> cancel) {
        SkepException reason;
        synchronized (this) {
            become(QueryState.COMPILING);
            canceller = cancel;
            reason = failure;
        }
        if (reason != null) {
            cancel.accept(reason);
        }
    }

    /**
     * Records that the text is compiled and waits for its run.
     *
     * @param cancel cancels the run, present or future, and the reading of rows
     * @return false when the statement has ended, so that the compiled statement is not used
     */
    public synchronized boolean compiled(Consumer<SkepException> cancel) {
        if (!become(QueryState.QUEUED)) {
            return false;
        }
        canceller = cancel;
        compiled = clock.instant();
        return true;
    }

    /**
     * Records that the run begins on this thread, which calls {@link #end} later.
     *
     * @param first LISTING or RUNNING
     * @return false when the statement has already ended
     */
    public synchronized boolean begin(QueryState first) {
        if (!become(first)) {
            return false;
        }
        started = clock.instant();
        atWork = true;
        return true;
    }

    @Override
    public void log(String line) {
        log.accept(line);
    }

    @Override
    public void listing() {
        become(QueryState.LISTING);
    }

    @Override
    public synchronized void running(QueryAttemptId started, Scheduler scheduler) {
        if (become(QueryState.RUNNING)) {
            attempt = new Attempt(started, scheduler);
        }
    }

    @Override
    public synchronized void beginCommit() {
        if (state == QueryState.COMMITTING || become(QueryState.COMMITTING)) {
            return;
        }
        throw failure != null
                ? failure
                : new SkepException(StandardErrorCode.OPERATION_CANCELED, "the statement is " + state);
    }

    /**
     * Records that the compilation failed, or that the run has finished or produced its first rows. A statement that
     * was cut short before keeps its state.
     */
    public void end(QueryState how, Optional<SkepException> error) {
        synchronized (this) {
            if (become(how)) {
                failure = error.orElse(null);
            }
            atWork = false;
            completed = clock.instant();
        }
        answered.complete(null);
    }

    /** Records that the last row was read. */
    public void allRowsRead() {
        become(QueryState.FINISHED);
    }

    /** Records a failure after the first rows of a query were sent. */
    public synchronized void failedInFetch(SkepException error) {
        if (state == QueryState.STREAMING) {
            state = QueryState.FAILED;
            failure = error;
        }
    }

    /**
     * Cancels the statement, including a run whose rows are being read. Does nothing when the statement has ended or is
     * committing.
     */
    public void cancel(SkepException reason) {
        stop(QueryState.CANCELLED, reason);
    }

    /** Times the statement out. Does nothing when its first rows are ready, or when it is committing. */
    public void timeOut(SkepException reason) {
        stop(QueryState.TIMED_OUT, reason);
    }

    /** Stops all activity, except a commit. A query whose rows were not read to their end does not count as failed. */
    public void close(SkepException reason) {
        Consumer<SkepException> reading = QueryExecution::nobody;
        synchronized (this) {
            closed = true;
            if (state == QueryState.STREAMING) {
                state = QueryState.FINISHED;
                reading = canceller;
            }
        }
        reading.accept(reason);
        stop(QueryState.CANCELLED, reason);
    }

    private void stop(QueryState how, SkepException reason) {
        Consumer<SkepException> stopped;
        boolean isAtWork;
        synchronized (this) {
            if (!become(how)) {
                return;
            }
            failure = reason;
            stopped = canceller;
            isAtWork = atWork;
            if (completed == null && !isAtWork) {
                completed = clock.instant();
            }
        }
        stopped.accept(reason);
        if (!isAtWork) {
            // Otherwise the run itself reports its end.
            answered.complete(null);
        }
    }

    /**
     * Waits until the statement has ended or its first rows are ready, up to the given time. Returns whether that is
     * the case.
     */
    public boolean await(Duration atMost) {
        try {
            answered.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns a future that completes when the statement has ended or its first rows are ready, and no thread runs it.
     * It never fails.
     */
    public CompletableFuture<@Nullable Void> answered() {
        return answered.copy();
    }

    public synchronized QueryState state() {
        return state;
    }

    /** Returns the attempt that was started last; empty for statements that run no plan. */
    public synchronized Optional<Attempt> attempt() {
        return Optional.ofNullable(attempt);
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Returns why the statement failed or was cut short. */
    public synchronized Optional<SkepException> failure() {
        return Optional.ofNullable(failure);
    }

    public Instant created() {
        return created;
    }

    public synchronized Optional<Instant> compiledAt() {
        return Optional.ofNullable(compiled);
    }

    public synchronized Optional<Instant> started() {
        return Optional.ofNullable(started);
    }

    public synchronized Optional<Instant> completed() {
        return Optional.ofNullable(completed);
    }
}
