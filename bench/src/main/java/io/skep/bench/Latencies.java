package io.skep.bench;

import java.util.Arrays;

/** Latencies of finished calls, in nanoseconds. Owned by one thread, and merged at the end. */
final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    void add(long value) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = value;
    }

    void addAll(Latencies other) {
        for (int i = 0; i < other.count; i++) {
            add(other.nanos[i]);
        }
    }

    int count() {
        return count;
    }

    /** Returns the latency that this fraction of calls did not exceed, in milliseconds. */
    double percentileMillis(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int index = (int) Math.ceil(share * count) - 1;
        return sorted[Math.clamp(index, 0, count - 1)] / 1e6;
    }
}
