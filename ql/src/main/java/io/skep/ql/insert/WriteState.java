package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RunListener;
import org.jspecify.annotations.Nullable;

/**
 * Where a statement that writes is between its first row and its end. One lock decides between the client, who may cancel or close it
 * at any time, and the thread that runs it: until the commit begins the client wins, afterwards the commit does. Thread-safe.
 */
final class WriteState {
    enum Phase {
        /** Rows are written to staging folders; nothing is visible. */
        WRITING,
        /** The journal is about to be written: from here on only the committing thread decides what becomes of the files. */
        COMMITTING,
        COMMITTED,
        /** Nothing has been changed, and the staging folders are anyone's to delete. */
        ABANDONED
    }

    private Phase phase = Phase.WRITING;
    private @Nullable SkepException reason;

    synchronized Phase phase() {
        return phase;
    }

    /** Has an effect while rows are written, and none later. */
    synchronized void cancel(SkepException why) {
        if (phase == Phase.WRITING && reason == null) {
            reason = why;
        }
    }

    /**
     * The one look at a cancellation, just before the journal becomes durable.
     *
     * @param listener has the last word: who it has told of a cancellation is not told of a commit
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

    /** @throws SkepException when the statement was cancelled or closed: its files may be gone */
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

    /** Why the statement failed: a cancellation interrupts its thread, whose own failure says less than the reason for that. */
    synchronized RuntimeException explained(RuntimeException failure) {
        return reason == null ? failure : reason;
    }

    /** The client wants no more of it; whether the staging folders are the caller's to delete. */
    synchronized boolean abandon() {
        if (phase == Phase.WRITING) {
            phase = Phase.ABANDONED;
        }
        return phase == Phase.ABANDONED;
    }

    /** The committing thread is done: with success, or without any change. */
    synchronized void end(boolean isCommitted) {
        phase = isCommitted ? Phase.COMMITTED : Phase.ABANDONED;
    }
}
