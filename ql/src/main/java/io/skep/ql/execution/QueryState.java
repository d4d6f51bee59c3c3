package io.skep.ql.execution;

import java.util.EnumSet;
import java.util.Set;

/** Where a statement stands, from the arrival of its text to its end. */
public enum QueryState {
    /** The text has arrived. */
    RECEIVED,
    /** It waits for a thread that compiles, or is compiled. */
    COMPILING,
    /** It is compiled and waits for its run. */
    QUEUED,
    /** The files that it reads are listed. */
    LISTING,
    /** It runs; no row has been given yet. */
    RUNNING,
    /** Its first rows are ready and the client reads them; more are made meanwhile. */
    STREAMING,
    /** Its effects become visible. It can no longer be cancelled: it will be FINISHED, or FAILED with its effects taken back. */
    COMMITTING,
    /** All that it was to do is done. */
    FINISHED,
    FAILED,
    /** By its user, or because the operation, the session or the connection was closed. */
    CANCELLED,
    TIMED_OUT;

    /** What ends a statement before it is done. */
    private static final Set<QueryState> CUT_SHORT = EnumSet.of(FAILED, CANCELLED, TIMED_OUT);

    /** Whether the statement has ended. */
    public boolean isTerminal() {
        return this == FINISHED || CUT_SHORT.contains(this);
    }

    /** Whether its run, if it has one, has come to its end or to its first rows. */
    public boolean isAnswered() {
        return isTerminal() || this == STREAMING;
    }

    /** Whether a statement that stands here may stand there next. */
    public boolean mayBecome(QueryState next) {
        if (isTerminal()) {
            return false;
        }
        return switch (next) {
            case RECEIVED -> false;
            case COMPILING -> this == RECEIVED;
            case QUEUED -> this == RECEIVED || this == COMPILING;
            // Of each attempt, and of each of the plans of a statement with several.
            case LISTING -> this == QUEUED || this == RUNNING;
            case RUNNING -> this == QUEUED || this == LISTING;
            case STREAMING -> this == LISTING || this == RUNNING;
            case COMMITTING -> this == LISTING || this == RUNNING;
            case FINISHED -> isAtWork();
            case FAILED -> true;
            case CANCELLED -> this != COMMITTING;
            // The limit is for the time until the first rows.
            case TIMED_OUT -> this != COMMITTING && this != STREAMING;
        };
    }

    private boolean isAtWork() {
        return switch (this) {
            case LISTING, RUNNING, STREAMING, COMMITTING -> true;
            case RECEIVED, COMPILING, QUEUED, FINISHED, FAILED, CANCELLED, TIMED_OUT -> false;
        };
    }
}
