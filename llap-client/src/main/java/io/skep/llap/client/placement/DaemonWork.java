package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What this process has given to one life of a daemon and not seen the end of. Thread-safe. */
public final class DaemonWork {
    private final DaemonIdentity daemon;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger drivers = new AtomicInteger();

    public DaemonWork(DaemonIdentity daemon) {
        this.daemon = daemon;
    }

    public DaemonIdentity daemon() {
        return daemon;
    }

    /**
     * A task goes there.
     *
     * @param taskNanos executor time that it is expected to take
     * @param taskDrivers executors that may work on it at once
     */
    public void begin(long taskNanos, int taskDrivers) {
        nanos.addAndGet(taskNanos);
        drivers.addAndGet(taskDrivers);
    }

    /** A task has ended; with the figures that {@link #begin} was given. */
    public void end(long taskNanos, int taskDrivers) {
        nanos.addAndGet(-taskNanos);
        drivers.addAndGet(-taskDrivers);
    }

    /** Expected executor time of the tasks that are there. */
    public long nanos() {
        return nanos.get();
    }

    /** Executors that may work at once on the tasks that are there. */
    public int drivers() {
        return drivers.get();
    }
}
