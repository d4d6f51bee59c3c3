package io.skep.llap.client.placement;

import io.skep.common.query.PlacementStats;
import java.util.Arrays;

/** Places the ranges of one query. It accounts for its own placements. Not thread-safe. */
public final class QueryPlacement {
    /** How many daemons of the ring are considered for a range whose home is busy. */
    private static final int NEIGHBOURS = 8;

    private final SplitPlacement placement;
    private final double[] waits;
    private final int[] walked;
    private long home;
    private long otherHome;
    private long away;

    QueryPlacement(SplitPlacement placement) {
        this.placement = placement;
        this.waits = new double[placement.size()];
        Arrays.fill(waits, -1);
        this.walked = new int[NEIGHBOURS];
    }

    /**
     * Chooses a daemon for a range.
     *
     * @param key see {@link DaemonRing#key}
     * @param bytes of the file that will be read
     */
    public int place(long key, long bytes) {
        if (waits.length == 1) {
            home++;
            return 0;
        }
        long cached = placement.costs().cachedNanos(bytes);
        long dearer = placement.costs().awayNanos(bytes);
        int first = placement.ring().home(key);
        int homes = placement.heat().homes(key, cached, placement.executors(first));
        if (homes == 1 && wait(first) + cached * placement.slowness(first) <= cached + dearer) {
            home++;
            return take(first, cached);
        }
        int count = placement.ring().walk(key, walked);
        int nearest = freest(Math.min(homes, count));
        for (int i = homes; i < count; i++) {
            double elsewhere = wait(walked[i]) + (cached + dearer) * placement.slowness(walked[i]);
            if (elsewhere < wait(walked[nearest]) + cached * placement.slowness(walked[nearest])) {
                away++;
                return take(walked[i], cached + dearer);
            }
        }
        if (nearest == 0) {
            home++;
        } else {
            otherHome++;
        }
        return take(walked[nearest], cached);
    }

    private int freest(int homes) {
        int best = 0;
        for (int i = 1; i < homes; i++) {
            best = wait(walked[i]) < wait(walked[best]) ? i : best;
        }
        return best;
    }

    private int take(int daemon, long nanos) {
        waits[daemon] = wait(daemon) + nanos * placement.slowness(daemon) / placement.executors(daemon);
        return daemon;
    }

    private double wait(int daemon) {
        double known = waits[daemon];
        if (known < 0) {
            known = placement.wait(daemon);
            waits[daemon] = known;
        }
        return known;
    }

    /**
     * Chooses a daemon for work that has no home: the less loaded of two daemons.
     *
     * @param key any; determines the two daemons
     */
    public int anywhere(long key) {
        if (waits.length == 1) {
            return 0;
        }
        int one = placement.ring().home(key);
        int other = placement.ring().home(DaemonRing.mix(key + 1));
        return wait(other) < wait(one) ? other : one;
    }

    /** Returns how the ranges were placed so far. */
    public PlacementStats stats() {
        return new PlacementStats(home, otherHome, away);
    }
}
