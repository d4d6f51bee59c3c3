package io.skep.bench.rpc;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work and measures the duration of each fragment, with a precision of about a fiftieth. Thread-safe. */
final class RpcStats {
    private static final int PER_DOUBLING = 32;

    private final LongAdder fragments = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final AtomicLongArray buckets = new AtomicLongArray(64 * PER_DOUBLING);

    void fragment(long nanos, long callCount, long byteCount) {
        fragments.increment();
        calls.add(callCount);
        bytes.add(byteCount);
        buckets.incrementAndGet((int) (Math.log((double) Math.max(1, nanos)) / Math.log(2) * PER_DOUBLING));
    }

    void error() {
        errors.increment();
    }

    long fragments() {
        return fragments.sum();
    }

    long calls() {
        return calls.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    long errors() {
        return errors.sum();
    }

    /** Returns the time that this fraction of fragments did not exceed. */
    double percentileMillis(double share) {
        long wanted = (long) Math.ceil(share * fragments.sum());
        long seen = 0;
        for (int i = 0; i < buckets.length(); i++) {
            seen += buckets.get(i);
            if (seen >= wanted && seen > 0) {
                return Math.pow(2, (i + 1.0) / PER_DOUBLING) / 1e6;
            }
        }
        return Double.NaN;
    }
}
