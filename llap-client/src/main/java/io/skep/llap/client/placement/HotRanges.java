package io.skep.llap.client.placement;

import java.util.function.LongSupplier;

/**
 * Tracks how much executor time the reads of each range use: a sum that halves every half minute. A range that would
 * keep a large part of its home busy gets a second and a third home. Only the hottest ranges are remembered, four to a
 * set. Thread-safe.
 */
public final class HotRanges {
    /** The maximum number of homes of a range. */
    static final int MAX_HOMES = 3;

    /** The share of a daemon that one range may keep busy before it gets another home. */
    static final double SHARE_OF_A_HOME = 0.25;

    static final long HALF_LIFE_NANOS = 30_000_000_000L;

    private static final int WAYS = 4;
    private static final int SETS = 1 << 12;
    private static final int SETS_PER_LOCK = 64;

    private final LongSupplier clock;
    private final long[] keys = new long[SETS * WAYS];
    private final double[] heat = new double[SETS * WAYS];
    private final long[] seen = new long[SETS * WAYS];
    private final Object[] locks = new Object[SETS / SETS_PER_LOCK];

    /** @param clock nanoseconds, see {@link System#nanoTime} */
    public HotRanges(LongSupplier clock) {
        this.clock = clock;
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    /**
     * Records a read.
     *
     * @param nanos executor time that it uses
     * @param executors executors of the range's home
     * @return how many homes the range should have
     */
    public int homes(long key, long nanos, int executors) {
        double busy = read(key, nanos) * Math.log(2) / HALF_LIFE_NANOS;
        return (int) Math.min(MAX_HOMES, 1 + busy / (executors * SHARE_OF_A_HOME));
    }

    private double read(long key, long nanos) {
        int set = (int) (key >>> 20) & (SETS - 1);
        long now = clock.getAsLong();
        synchronized (locks[set / SETS_PER_LOCK]) {
            int coldest = set * WAYS;
            double least = Double.MAX_VALUE;
            for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
                double left = heat[i] == 0 ? 0 : heat[i] * Math.pow(0.5, (double) (now - seen[i]) / HALF_LIFE_NANOS);
                if (keys[i] == key) {
                    return note(i, key, left + nanos, now);
                }
                if (left < least) {
                    least = left;
                    coldest = i;
                }
            }
            return note(coldest, key, (double) nanos, now);
        }
    }

    private double note(int entry, long key, double newHeat, long now) {
        keys[entry] = key;
        heat[entry] = newHeat;
        seen[entry] = now;
        return newHeat;
    }
}
