package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** What this process has given to one life of a daemon and not seen the end of. Thread-safe. */
public final class OutstandingWork {
    private static final double WEIGHT_OF_ONE = 0.05;
    private static final double MAX_SLOWNESS = 100;

    /** Less than this is nothing. */
    private static final double MIN_EXCESS = 0.01;

    /** A daemon that gets nothing is not judged anew: what was known of it is forgotten by halves, so that it is tried again. */
    static final long HALF_LIFE_NANOS = 30_000_000_000L;

    /** What a daemon says of itself may be so old. */
    static final long LATELY_NANOS = 5_000_000_000L;

    /** Shorter tasks take what messages take, which says nothing of the daemon. */
    private static final long MIN_NANOS_TO_JUDGE_BY = 10_000_000;

    private final DaemonIdentity daemon;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger drivers = new AtomicInteger();

    /** What a step of the tasks was expected to take lately, from 1 on; 0 if there was none yet. */
    private final AtomicLong stepNanos = new AtomicLong();

    private final LongSupplier clock;
    private final AtomicReference<Judgement> judgement;
    private final AtomicReference<Peak> peak;

    /**
     * The most drivers that there were lately.
     *
     * @param nanos when there were so many last
     */
    private record Peak(int drivers, long nanos) {
        boolean isPast(long now) {
            return now - nanos > LATELY_NANOS;
        }
    }

    /** @param excess by how much tasks took longer than expected, in parts of what was expected */
    private record Judgement(double excess, long nanos) {
        double excessAt(long now) {
            return excess < MIN_EXCESS ? 0 : excess * Math.pow(0.5, (double) (now - nanos) / HALF_LIFE_NANOS);
        }
    }

    /** @param clock nanoseconds; only differences count */
    public OutstandingWork(DaemonIdentity daemon, LongSupplier clock) {
        this.daemon = daemon;
        this.clock = clock;
        this.judgement = new AtomicReference<>(new Judgement(0, clock.getAsLong()));
        this.peak = new AtomicReference<>(new Peak(0, clock.getAsLong()));
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
        long step = Math.max(1, taskNanos / Math.max(1, taskDrivers));
        stepNanos.updateAndGet(last -> last == 0 ? step : last + Math.round(WEIGHT_OF_ONE * (step - last)));
    }

    /** A task has ended; with the figures that {@link #begin} was given. */
    public void end(long taskNanos, int taskDrivers) {
        nanos.addAndGet(-taskNanos);
        int before = drivers.getAndAdd(-taskDrivers);
        long now = clock.getAsLong();
        peak.updateAndGet(last -> before >= last.drivers() || last.isPast(now) ? new Peak(before, now) : last);
    }

    /**
     * A task that waits for no other task has ended.
     *
     * @param expectedNanos from its start to its end, with what was there before it
     * @param tookNanos what it took
     */
    public void took(long expectedNanos, long tookNanos) {
        if (expectedNanos >= MIN_NANOS_TO_JUDGE_BY) {
            double excess = Math.clamp((double) tookNanos / expectedNanos, 1, MAX_SLOWNESS) - 1;
            long now = clock.getAsLong();
            judgement.updateAndGet(last -> {
                double before = last.excessAt(now);
                return new Judgement(before + WEIGHT_OF_ONE * (excess - before), now);
            });
        }
    }

    /** How many times longer than expected tasks have taken lately, from 1 on. */
    public double slowness() {
        return 1 + judgement.get().excessAt(clock.getAsLong());
    }

    /** Expected executor time of the tasks that are there. */
    public long nanos() {
        return nanos.get();
    }

    /**
     * What a step of the tasks that have gone there lately was expected to take.
     *
     * @param unknown if none has
     */
    public long stepNanos(long unknown) {
        long known = stepNanos.get();
        return known == 0 ? unknown : known;
    }

    /** Executors that may work at once on the tasks that are there. */
    public int drivers() {
        return drivers.get();
    }

    /** The most that there were at once of late: what the daemon says of itself may count those that have ended. */
    int driversLately() {
        Peak last = peak.get();
        return last.isPast(clock.getAsLong()) ? drivers() : Math.max(last.drivers(), drivers());
    }
}
