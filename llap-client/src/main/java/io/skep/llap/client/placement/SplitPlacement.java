package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.Arrays;
import java.util.List;

/**
 * Consistent hashing with bounded load (Mirrokni, Thorup, Zadimoghaddam, 2018): a split has a home on the ring of daemons and
 * is read there, unless the home already has more than its share of this query, in which case the next daemon on the ring
 * takes it. Daemons that come or go move only their own part of the ring. Immutable.
 */
public final class SplitPlacement {
    private static final int POINTS_PER_DAEMON = 128;

    /** How much more than an equal share a daemon may get. */
    private static final double BOUND = 1.25;

    private final long[] points;
    private final int[] owners;
    private final double[] shares;

    /** @param daemons at least one; results are indexes into this list */
    public SplitPlacement(List<DaemonIdentity> daemons) {
        if (daemons.isEmpty()) {
            throw new IllegalArgumentException("splits cannot be placed without a daemon");
        }
        int count = daemons.size() * POINTS_PER_DAEMON;
        long[][] ring = new long[count][];
        long executors = 0;
        for (int daemon = 0; daemon < daemons.size(); daemon++) {
            executors += daemons.get(daemon).executors();
            for (int i = 0; i < POINTS_PER_DAEMON; i++) {
                long point = mix(daemons.get(daemon).slot() * 0x9E3779B97F4A7C15L + mix(i + 1));
                ring[daemon * POINTS_PER_DAEMON + i] = new long[] {point, daemon};
            }
        }
        Arrays.sort(ring, (left, right) -> Long.compareUnsigned(left[0], right[0]));
        points = new long[count];
        owners = new int[count];
        for (int i = 0; i < count; i++) {
            points[i] = ring[i][0];
            owners[i] = (int) ring[i][1];
        }
        shares = new double[daemons.size()];
        for (int daemon = 0; daemon < shares.length; daemon++) {
            shares[daemon] = (double) daemons.get(daemon).executors() / executors;
        }
    }

    /** The key of a part of a file. */
    public static long key(String path, long start) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ path.charAt(i)) * 0x100000001B3L;
        }
        return mix(hash ^ mix(start + 1));
    }

    /**
     * A daemon for each split.
     *
     * @param keys see {@link #key}
     * @param weights how much work each is, for example its bytes
     */
    public int[] place(long[] keys, long[] weights) {
        int[] placed = new int[keys.length];
        if (shares.length == 1) {
            return placed;
        }
        double total = 0;
        for (long weight : weights) {
            total += weight;
        }
        double[] load = new double[shares.length];
        for (int i = 0; i < keys.length; i++) {
            int daemon = home(keys[i], weights[i], load, total * BOUND);
            load[daemon] += weights[i];
            placed[i] = daemon;
        }
        return placed;
    }

    private int home(long key, long weight, double[] load, double bound) {
        int first = firstPoint(key);
        for (int i = 0; i < points.length; i++) {
            int daemon = owners[(first + i) % points.length];
            if (load[daemon] == 0 || load[daemon] + weight <= bound * shares[daemon]) {
                return daemon;
            }
        }
        return owners[first];
    }

    private int firstPoint(long key) {
        int low = 0;
        int high = points.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(points[middle], key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == points.length ? 0 : low;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
