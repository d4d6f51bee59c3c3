package io.skep.ql.execution;

import java.util.EnumSet;
import java.util.Set;

/** The state of a statement, from the arrival of its text to its end. */
public enum QueryState {
    /** The text has arrived. */
    RECEIVED,
    /** The statement is being compiled, or waits for a thread to compile on. */
    COMPILING,
    /** The statement is compiled and waits for its run. */
    QUEUED,
    /** The files that the statement reads are being listed. */
    LISTING,
    /** The statement runs. No row has been returned yet. */
    RUNNING,
    /** The first rows are ready and the client reads them, while more are produced. */
    STREAMING,
    /**
     * The effects of the statement become visible. It cannot be cancelled in this state: it will be FINISHED, or FAILED
     * with its effects rolled back.
     */
    COMMITTING,
    /** The statement has done all its work. */
    FINISHED,
    FAILED,
    /** Cancelled by its user, or because the operation, the session or the connection was closed. */
    CANCELLED,
    TIMED_OUT;

    /** States of a statement that ended before it was done. */
    private static final Set<QueryState> CUT_SHORT = EnumSet.of(FAILED, CANCELLED, TIMED_OUT);

    /** Whether the statement has ended. */
    public boolean isTerminal() {
        return this == FINISHED || CUT_SHORT.contains(this);
    }

    /** Whether the run, if there is one, has finished or has its first rows. */
    public boolean isAnswered() {
        return isTerminal() || this == STREAMING;
    }

    /** Whether a statement in this state may go to the given state next. */
    public boolean mayBecome(QueryState next) {
        if (isTerminal()) {
            return false;
        }
        return switch (next) {
            case RECEIVED -> false;
            case COMPILING -> this == RECEIVED;
            case QUEUED -> this == RECEIVED || this == COMPILING;
            // Listing happens in each attempt, and in each plan of a statement with several.
            case LISTING -> this == QUEUED || this == RUNNING;
            case RUNNING -> this == QUEUED || this == LISTING;
            case STREAMING -> this == LISTING || this == RUNNING;
            case COMMITTING -> this == LISTING || this == RUNNING;
            case FINISHED -> isAtWork();
            case FAILED -> true;
            case CANCELLED -> this != COMMITTING;
            // The time limit applies until the first rows.
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
