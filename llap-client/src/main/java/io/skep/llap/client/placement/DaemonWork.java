package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What this process has given to one life of a daemon and not seen the end of. Thread-safe. */
public final class DaemonWork {
    private static final double WEIGHT_OF_ONE = 0.05;
    private static final double MOST_SLOWNESS = 100;

    /** Shorter tasks take what messages take, which says nothing of the daemon. */
    private static final long LEAST_NANOS_TO_JUDGE_BY = 10_000_000;

    private final DaemonIdentity daemon;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger drivers = new AtomicInteger();
    private final AtomicLong slowness = new AtomicLong(Double.doubleToLongBits(1));

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

    /**
     * A task that waits for no other task has ended.
     *
     * @param expectedNanos from its start to its end, with what was there before it
     * @param nanos what it took
     */
    public void took(long expectedNanos, long nanos) {
        if (expectedNanos >= LEAST_NANOS_TO_JUDGE_BY) {
            double ratio = Math.clamp((double) nanos / expectedNanos, 1, MOST_SLOWNESS);
            slowness.updateAndGet(bits -> {
                double before = Double.longBitsToDouble(bits);
                return Double.doubleToLongBits(before + WEIGHT_OF_ONE * (ratio - before));
            });
        }
    }

    /** How many times longer than expected tasks have taken lately, from 1 on. */
    public double slowness() {
        return Double.longBitsToDouble(slowness.get());
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
