package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonIdentity;
import java.util.Arrays;
import java.util.List;

/**
 * The consistent-hashing ring of one set of daemons. Each slot owns points on the ring, in proportion to its executors.
 * The home of a range of a file is the daemon whose point follows the range's key. Points depend on the slot alone. So
 * a daemon that takes over a slot takes over its ranges, and adding or removing a slot moves no range between two other
 * slots. Immutable.
 */
public final class DaemonRing {
    private static final int POINTS_PER_EXECUTOR = 32;
    private static final int MIN_POINTS = 128;
    private static final int MAX_POINTS = 2048;

    /** The low bits of a point identify its owner. */
    private static final int OWNER_BITS = 16;

    private static final int OWNER_MASK = (1 << OWNER_BITS) - 1;

    private final long[] points;
    private final int daemons;

    /** @param daemons at least one, at most 65,536; results are indexes into this list */
    public DaemonRing(List<DaemonIdentity> daemons) {
        if (daemons.isEmpty() || daemons.size() > OWNER_MASK + 1) {
            throw new IllegalArgumentException("a ring of " + daemons.size() + " daemons");
        }
        this.daemons = daemons.size();
        long[] all = new long[daemons.stream().mapToInt(DaemonRing::points).sum()];
        int size = 0;
        for (int owner = 0; owner < this.daemons; owner++) {
            long slot = daemons.get(owner).slot() * 0x9E3779B97F4A7C15L;
            for (int i = points(daemons.get(owner)); i > 0; i--) {
                all[size++] = (mix(slot + mix(i)) & ~OWNER_MASK) | owner;
            }
        }
        Arrays.sort(all);
        points = all;
    }

    private static int points(DaemonIdentity daemon) {
        return Math.clamp((long) daemon.executors() * POINTS_PER_EXECUTOR, MIN_POINTS, MAX_POINTS);
    }

    /** Returns the key of a part of a file. */
    public static long key(String path, long start) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ path.charAt(i)) * 0x100000001B3L;
        }
        return mix(hash ^ mix(start + 1));
    }

    /** Returns the home of a range. */
    public int home(long key) {
        return owner(firstPoint(key));
    }

    /**
     * Lists the home of a range and the daemons that follow it on the ring, each once.
     *
     * @param into receives the daemons, up to its length
     * @return the number of daemons written
     */
    public int walk(long key, int[] into) {
        int wanted = Math.min(into.length, daemons);
        int found = 0;
        for (int point = firstPoint(key); found < wanted; point = point + 1 == points.length ? 0 : point + 1) {
            int daemon = owner(point);
            if (!contains(into, found, daemon)) {
                into[found++] = daemon;
            }
        }
        return found;
    }

    private static boolean contains(int[] values, int count, int value) {
        for (int i = 0; i < count; i++) {
            if (values[i] == value) {
                return true;
            }
        }
        return false;
    }

    private int owner(int point) {
        return (int) points[point] & OWNER_MASK;
    }

    private int firstPoint(long key) {
        int low = 0;
        int high = points.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == points.length ? 0 : low;
    }

    /** The finalizer of SplitMix64. */
    static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
