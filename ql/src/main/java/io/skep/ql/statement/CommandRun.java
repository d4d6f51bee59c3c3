package io.skep.ql.statement;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.InterruptibleSection;
import io.skep.ql.execution.RunListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The run of a {@link CommandStatement}. It arbitrates between the statement's thread and callers that cancel it. Until
 * {@link #beginCommit} a cancellation interrupts the thread, or cancels the query that it waits for. Afterwards it has
 * no effect. {@link #cancel} may be called by any thread at any time, even before the run; all other methods belong to
 * the statement's thread.
 */
public final class CommandRun implements RunListener {
    private final InterruptibleSection section = new InterruptibleSection();
    private RunListener listener = line -> {};
    private boolean isCommitting;

    @GuardedBy("this")
    private @Nullable SkepException cancelled;

    /** The query that the thread waits for. */
    @GuardedBy("this")
    private @Nullable SqlStatement query;

    /**
     * Does the statement's work. If it was cancelled, the cancellation's reason replaces the failure.
     *
     * @throws SkepException the reason, when it was cancelled before
     */
    <T> T run(RunListener told, Supplier<T> work) {
        listener = told;
        section.enter();
        try {
            check();
            return work.get();
        } catch (RuntimeException e) {
            SkepException reason = reason();
            throw reason == null || isCommitting ? e : reason;
        } finally {
            section.leave();
        }
    }

    /** Cancels the statement. Has no effect once it commits. */
    public void cancel(SkepException reason) {
        SqlStatement waited;
        synchronized (this) {
            cancelled = cancelled == null ? reason : cancelled;
            waited = query;
        }
        if (waited != null) {
            waited.cancel(reason);
        }
        section.interrupt();
    }

    private synchronized @Nullable SkepException reason() {
        return cancelled;
    }

    private void check() {
        SkepException reason = reason();
        if (reason != null) {
            throw reason;
        }
    }

    /**
     * Runs an internal query of the statement and reads its rows, or runs an internal write, which commits the
     * statement. It is cancelled like a client's query: this thread is not interrupted meanwhile.
     */
    public <T> T runQuery(SqlStatement asked, Supplier<T> work) {
        section.leave();
        synchronized (this) {
            check();
            query = asked;
        }
        T result;
        try {
            result = work.get();
        } finally {
            synchronized (this) {
                query = null;
            }
            if (!isCommitting) {
                section.enter();
            }
        }
        if (!isCommitting) {
            check();
        }
        return result;
    }

    @Override
    public void beginCommit() {
        section.leave();
        if (!isCommitting) {
            check();
        }
        listener.beginCommit();
        isCommitting = true;
    }

    @Override
    public void log(String line) {
        listener.log(line);
    }
}
