package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** The unfinished work that this process has assigned to one incarnation of a daemon. Thread-safe. */
public final class OutstandingWork {
    private static final double WEIGHT_OF_ONE = 0.05;
    private static final double MAX_SLOWNESS = 100;

    /** An excess below this counts as zero. */
    private static final double MIN_EXCESS = 0.01;

    /**
     * A daemon that gets no tasks is not judged again. So the judgement of it decays with this half-life, and it is
     * tried again.
     */
    static final long HALF_LIFE_NANOS = 30_000_000_000L;

    /** The maximum age of what a daemon reports about itself. */
    static final long LATELY_NANOS = 5_000_000_000L;

    /** The time of shorter tasks is dominated by messages, which says nothing about the daemon. */
    private static final long MIN_NANOS_TO_JUDGE_BY = 10_000_000;

    private final DaemonIdentity daemon;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger drivers = new AtomicInteger();

    /** The average expected time of a step of recent tasks, at least 1; 0 if there was none yet. */
    private final AtomicLong stepNanos = new AtomicLong();

    private final LongSupplier clock;
    private final AtomicReference<Judgement> judgement;
    private final AtomicReference<Peak> peak;

    /**
     * The recent maximum number of drivers.
     *
     * @param nanos when there were that many for the last time
     */
    private record Peak(int drivers, long nanos) {
        boolean isPast(long now) {
            return now - nanos > LATELY_NANOS;
        }
    }

    /** @param excess how much longer than expected tasks took, as a fraction of the expected time */
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
     * Records that a task is assigned to the daemon.
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

    /** Records that a task has finished. The arguments must be those that were passed to {@link #begin}. */
    public void end(long taskNanos, int taskDrivers) {
        nanos.addAndGet(-taskNanos);
        int before = drivers.getAndAdd(-taskDrivers);
        long now = clock.getAsLong();
        peak.updateAndGet(last -> before >= last.drivers() || last.isPast(now) ? new Peak(before, now) : last);
    }

    /**
     * Records the duration of a finished task that did not wait for other tasks.
     *
     * @param expectedNanos expected time from its start to its end, including the work that was ahead of it
     * @param tookNanos its actual time
     */
    public void recordDuration(long expectedNanos, long tookNanos) {
        if (expectedNanos >= MIN_NANOS_TO_JUDGE_BY) {
            double excess = Math.clamp((double) tookNanos / expectedNanos, 1, MAX_SLOWNESS) - 1;
            long now = clock.getAsLong();
            judgement.updateAndGet(last -> {
                double before = last.excessAt(now);
                return new Judgement(before + WEIGHT_OF_ONE * (excess - before), now);
            });
        }
    }

    /** Returns the factor by which recent tasks took longer than expected, at least 1. */
    public double slowness() {
        return 1 + judgement.get().excessAt(clock.getAsLong());
    }

    /** Returns the expected executor time of the unfinished tasks. */
    public long nanos() {
        return nanos.get();
    }

    /**
     * Returns the average expected time of a step of recent tasks.
     *
     * @param unknown the result if there was no task yet
     */
    public long stepNanos(long unknown) {
        long known = stepNanos.get();
        return known == 0 ? unknown : known;
    }

    /** Returns how many executors may work at once on the unfinished tasks. */
    public int drivers() {
        return drivers.get();
    }

    /**
     * Returns the recent maximum of {@code drivers}. A report of the daemon may still count drivers of tasks that have
     * finished.
     */
    int driversLately() {
        Peak last = peak.get();
        return last.isPast(clock.getAsLong()) ? drivers() : Math.max(last.drivers(), drivers());
    }
}
