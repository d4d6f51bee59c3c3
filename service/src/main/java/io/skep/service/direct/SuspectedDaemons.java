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
 * The daemons that queries are given to: those that are there, without the ones that others have lost. Where the
 * network between two daemons is cut, both are there for this server, and a query on both would wait for a timeout and
 * fail each time. The one that was said to be lost gets nothing for a while, and is then tried again. Thread-safe.
 */
public final class SuspectedDaemons implements Supplier<List<DaemonConnection>> {
    private final Supplier<List<DaemonConnection>> daemons;
    private final long nanos;
    private final LongSupplier clock;

    /** When the doubt of a connection ends; one that is made anew is not in doubt. Guarded by itself. */
    private final IdentityHashMap<DaemonConnection, Long> ends = new IdentityHashMap<>();

    private volatile List<DaemonConnection> known = List.of();

    /**
     * @param daemons those that are there at a moment
     * @param length of a doubt: some timeouts, as each further try costs queries one
     */
    public SuspectedDaemons(Supplier<List<DaemonConnection>> daemons, Duration length) {
        this(daemons, length, System::nanoTime);
    }

    /** @param clock nanoseconds; only differences count */
    SuspectedDaemons(Supplier<List<DaemonConnection>> daemons, Duration length, LongSupplier clock) {
        this.daemons = daemons;
        this.nanos = length.toNanos();
        this.clock = clock;
    }

    /** Takes in why a query has failed. */
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
     * The daemons that are there and not in doubt. When all are, the one whose doubt is the newest is given: who was
     * doubted first was the reason why the others complained.
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
