package io.skep.ql.insert;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RunListener;
import org.jspecify.annotations.Nullable;

/**
 * The state of a writing statement between its first row and its end. One lock decides between the client, which may
 * cancel or close the statement at any time, and the thread that runs it. Before the commit begins the client wins,
 * afterwards the commit wins. Thread-safe.
 */
final class WriteState {
    enum Phase {
        /** Rows are being written to staging folders; nothing is visible. */
        WRITING,
        /**
         * The journal is about to be written. From here on only the committing thread decides what happens to the
         * files.
         */
        COMMITTING,
        COMMITTED,
        /** Nothing has been changed, and any thread may delete the staging folders. */
        ABANDONED
    }

    @GuardedBy("this")
    private Phase phase = Phase.WRITING;

    @GuardedBy("this")
    private @Nullable SkepException reason;

    synchronized Phase phase() {
        return phase;
    }

    /** Cancels the statement. Has an effect only while rows are being written. */
    synchronized void cancel(SkepException why) {
        if (phase == Phase.WRITING && reason == null) {
            reason = why;
        }
    }

    /**
     * Makes the only check for a cancellation, just before the journal becomes durable.
     *
     * @param listener makes the final decision; if it has reported a cancellation to a client, it must not allow the
     *     commit
     * @throws SkepException when the statement was cancelled or closed
     */
    synchronized void beginCommit(RunListener listener) {
        check();
        try {
            listener.beginCommit();
        } catch (SkepException cancelled) {
            cancel(cancelled);
        }
        check();
        phase = Phase.COMMITTING;
    }

    /** @throws SkepException when the statement was cancelled or closed, so that its files may be gone */
    synchronized void check() {
        if (reason != null) {
            phase = Phase.ABANDONED;
            throw reason;
        }
        if (phase != Phase.WRITING) {
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "the statement was closed before its rows were committed");
        }
    }

    /**
     * Returns why the statement failed. A cancellation interrupts its thread, so the reason of the cancellation is more
     * informative than the thread's own failure.
     */
    synchronized RuntimeException explained(RuntimeException failure) {
        return reason == null ? failure : reason;
    }

    /** Abandons the statement on behalf of the client. Returns whether the caller may delete the staging folders. */
    synchronized boolean abandon() {
        if (phase == Phase.WRITING) {
            phase = Phase.ABANDONED;
        }
        return phase == Phase.ABANDONED;
    }

    /** Records that the committing thread has finished, either with success or without any change. */
    synchronized void end(boolean isCommitted) {
        phase = isCommitted ? Phase.COMMITTED : Phase.ABANDONED;
    }
}
