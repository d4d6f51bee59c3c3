package io.skep.common.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that is set once, when it is created, and then follows the monotonic clock of the JVM. Differences between
 * its instants are durations, even when the wall clock is set meanwhile. The instants themselves are off by any later
 * change of the wall clock. Thread-safe.
 */
public final class SteadyClock implements InstantSource {
    private final Instant origin;
    private final LongSupplier nanos;
    private final long first;

    /**
     * @param origin the first instant
     * @param nanos nanoseconds of a clock that never goes back; only differences count
     */
    SteadyClock(Instant origin, LongSupplier nanos) {
        this.origin = origin;
        this.nanos = nanos;
        this.first = nanos.getAsLong();
    }

    /** Creates a clock that is set by the wall clock. */
    public static SteadyClock start() {
        return new SteadyClock(Instant.now(), System::nanoTime);
    }

    @Override
    public Instant instant() {
        return origin.plusNanos(nanos.getAsLong() - first);
    }
}
