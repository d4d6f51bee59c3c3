package io.skep.ql.execution;

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
 * The life of one statement, from the arrival of its text to its end: the one place that decides between those who cancel, close or
 * time it out and the threads that compile, run and commit it. {@link QueryState} says which state may follow which. All fields are
 * guarded by this; nothing is called while the lock is held.
 */
public final class QueryExecution implements RunListener {
    private final InstantSource clock;
    private final Consumer<String> log;
    private final Instant created;
    private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();
    private QueryState state = QueryState.RECEIVED;
    private Consumer<SkepException> canceller = QueryExecution::nobody;
    private boolean atWork;
    private boolean closed;
    private @Nullable SkepException failure;
    private @Nullable Attempt attempt;
    private @Nullable Instant compiled;
    private @Nullable Instant started;
    private @Nullable Instant completed;

    /** Which attempt runs, and who runs it. */
    public record Attempt(QueryAttemptId id, Scheduler scheduler) {}

    /** @param log gets what the statement says while it runs */
    public QueryExecution(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
        this.created = clock.instant();
    }

    /** There is nothing to be ended yet. */
    private static void nobody(SkepException reason) {}

    private synchronized boolean become(QueryState next) {
        boolean may = state.mayBecome(next);
        state = may ? next : state;
        return may;
    }

    /**
     * Its text is being compiled, or waits for that.
     *
     * @param cancel ends the compilation; called at once when the statement has ended
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
     * Its text is compiled, and waits for its run.
     *
     * @param cancel ends the run, or the run to come, and the reading of rows
     * @return false when the statement has ended, and what was compiled is nobody's
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
     * Its run begins on this thread, which calls {@link #end} later.
     *
     * @param first LISTING or RUNNING
     * @return false when it has ended before
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

    /** Its compilation failed, or its run has come to its end or to its first rows. A statement that was cut short before stays so. */
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

    /** Its last row was read. */
    public void allRowsRead() {
        become(QueryState.FINISHED);
    }

    /** A query may fail after its first rows have gone out. */
    public synchronized void failedInFetch(SkepException error) {
        if (state == QueryState.STREAMING) {
            state = QueryState.FAILED;
            failure = error;
        }
    }

    /** Ends what goes on, also a run whose rows are being read. Does nothing when it has ended, or commits. */
    public void cancel(SkepException reason) {
        stop(QueryState.CANCELLED, reason);
    }

    /** Its time is over; does nothing when its first rows are there, or when it commits. */
    public void timeOut(SkepException reason) {
        stop(QueryState.TIMED_OUT, reason);
    }

    /** Ends what goes on, except a commit. A query whose rows were not read to their end has not failed. */
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
            // Otherwise the run itself says when it has ended.
            answered.complete(null);
        }
    }

    /** Waits until it has ended or its first rows are ready, but not longer; tells whether it has. */
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

    /** Done when it has ended or its first rows are ready, and no thread runs it. Never fails. */
    public CompletableFuture<@Nullable Void> answered() {
        return answered.copy();
    }

    public synchronized QueryState state() {
        return state;
    }

    /** The attempt that was started last; empty for statements that run no plan. */
    public synchronized Optional<Attempt> attempt() {
        return Optional.ofNullable(attempt);
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Why it was cut short. */
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
