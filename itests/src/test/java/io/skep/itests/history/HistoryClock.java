package io.skep.itests.history;

/** A clock that all clients of a history share. */
public final class HistoryClock {
    private final long origin = System.nanoTime();

    /** Returns the nanoseconds since the history began. The value never decreases. */
    long now() {
        return System.nanoTime() - origin;
    }
}
