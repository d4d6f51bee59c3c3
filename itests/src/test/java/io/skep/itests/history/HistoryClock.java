package io.skep.itests.history;

/** One clock for all clients of a history. */
public final class HistoryClock {
    private final long origin = System.nanoTime();

    /** Nanoseconds since the history began; later calls never give less. */
    long now() {
        return System.nanoTime() - origin;
    }
}
