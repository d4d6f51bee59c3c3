package io.skep.itests.history;

/**
 * From the moment a client sent a statement to the moment it had the answer.
 *
 * @param invoked nanoseconds of the history's clock
 * @param completed the same, or {@link #NEVER}
 */
public record Interval(long invoked, long completed) {
    /** No answer, or an error: the statement may have taken effect, may do so later, or never. */
    public static final long NEVER = Long.MAX_VALUE;

    static Interval unknown(long invoked) {
        return new Interval(invoked, NEVER);
    }

    /** Whether the answer was there before the other statement was sent. */
    boolean isBefore(Interval other) {
        return completed < other.invoked;
    }

    boolean isAcknowledged() {
        return completed != NEVER;
    }
}
