package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The daemons that get queries: the live ones, except those that other daemons have reported lost. When the network
 * between two daemons is cut, this server still sees both. A query on both would wait for a timeout and fail each time.
 * A daemon that was reported lost gets no queries for some time, and is then retried. Thread-safe.
 */
public final class SuspectedDaemons implements Supplier<List<DaemonConnection>> {
    private final Supplier<List<DaemonConnection>> daemons;
    private final long nanos;
    private final LongSupplier clock;

    /** The time until which a connection is suspected. A new connection is not suspected. Guarded by itself. */
    private final IdentityHashMap<DaemonConnection, Long> ends = new IdentityHashMap<>();

    private volatile List<DaemonConnection> known = List.of();

    /**
     * @param daemons the live daemons at the time of the call
     * @param length duration of a suspicion; several timeouts, because each retry costs queries one timeout
     */
    public SuspectedDaemons(Supplier<List<DaemonConnection>> daemons, Duration length) {
        this(daemons, length, System::nanoTime);
    }

    /** @param clock nanoseconds; only differences are used */
    SuspectedDaemons(Supplier<List<DaemonConnection>> daemons, Duration length, LongSupplier clock) {
        this.daemons = daemons;
        this.nanos = length.toNanos();
        this.clock = clock;
    }

    /** Records the reason why a query has failed. */
    public void note(SkepException failure) {
        if (failure.code() != StandardErrorCode.DAEMON_LOST || failure.subject().isEmpty()) {
            return;
        }
        long end = clock.getAsLong() + nanos;
        for (DaemonConnection daemon : known) {
            boolean meant = daemon.identity().endpoint().map(Object::toString).equals(failure.subject());
            if (meant && !daemon.isLost()) {
                synchronized (ends) {
                    ends.put(daemon, end);
                }
            }
        }
    }

    /**
     * Returns the live daemons that are not suspected. When all are suspected, returns the most recently suspected one.
     * The daemon that was suspected first caused the reports against the others.
     */
    @Override
    public List<DaemonConnection> get() {
        List<DaemonConnection> all = daemons.get();
        known = all;
        synchronized (ends) {
            if (ends.isEmpty()) {
                return all;
            }
            long now = clock.getAsLong();
            ends.entrySet()
                    .removeIf(doubt ->
                            doubt.getValue() - now <= 0 || doubt.getKey().isLost());
            List<DaemonConnection> sure =
                    all.stream().filter(daemon -> !ends.containsKey(daemon)).toList();
            return sure.isEmpty()
                    ? all.stream()
                            .max(Comparator.comparingLong(daemon -> ends.getOrDefault(daemon, now) - now))
                            .stream()
                            .toList()
                    : sure;
        }
    }
}
