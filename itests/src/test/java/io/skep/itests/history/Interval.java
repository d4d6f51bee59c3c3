package io.skep.itests.history;

/**
 * The time from when a client sent a statement until it received the answer.
 *
 * @param invoked the start, in nanoseconds of the history's clock
 * @param completed the end, in the same unit, or {@link #NEVER}
 */
public record Interval(long invoked, long completed) {
    /**
     * Marks a statement without an answer or with an error. It may have taken effect, may take effect later, or may
     * never do so.
     */
    public static final long NEVER = Long.MAX_VALUE;

    static Interval unknown(long invoked) {
        return new Interval(invoked, NEVER);
    }

    /** Whether the answer arrived before the other statement was sent. */
    boolean isBefore(Interval other) {
        return completed < other.invoked;
    }

    boolean isAcknowledged() {
        return completed != NEVER;
    }
}
