package io.skep.ql.reuse;

import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The unused plans of one shape, by the sizes that they were created for. Thread-safe. */
final class PlanPool {
    /** The number of statements that can be compiled at once, each in less than a millisecond. */
    private static final int MOST = 8;

    /** Few sizes matter in practice. Beyond this number, any plan serves further sizes. */
    private static final int MAX_SIZES = 16;

    private final Map<CardinalityBucket, Pool> bySizes = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong mostBytes = new AtomicLong();
    private volatile Optional<Pool> last = Optional.empty();
    private volatile boolean closed;

    private final class Pool {
        private final Deque<ParameterizedPlan> queries = new ConcurrentLinkedDeque<>();
        private final AtomicInteger count = new AtomicInteger();

        private Optional<ParameterizedPlan> take() {
            ParameterizedPlan taken = queries.poll();
            if (taken != null) {
                count.decrementAndGet();
                bytes.addAndGet(-taken.bytes());
            }
            return Optional.ofNullable(taken);
        }

        private void release(ParameterizedPlan query) {
            if (count.incrementAndGet() <= MOST) {
                bytes.addAndGet(query.bytes());
                queries.push(query);
            } else {
                count.decrementAndGet();
            }
        }
    }

    /** Takes a plan for any sizes, preferably for the sizes that were returned last. */
    Optional<ParameterizedPlan> take() {
        Optional<ParameterizedPlan> taken = last.flatMap(Pool::take);
        for (Pool pool : bySizes.values()) {
            taken = taken.or(pool::take);
        }
        return taken;
    }

    Optional<ParameterizedPlan> take(CardinalityBucket sizes) {
        return Optional.ofNullable(bySizes.get(sizes)).flatMap(Pool::take);
    }

    boolean hasRoomFor(CardinalityBucket sizes) {
        return bySizes.size() < MAX_SIZES || bySizes.containsKey(sizes);
    }

    /** Returns whether {@link #mostBytes} has grown. */
    boolean release(ParameterizedPlan query) {
        Pool pool = bySizes.computeIfAbsent(query.sizes(), sizes -> new Pool());
        pool.release(query);
        last = Optional.of(pool);
        if (closed) {
            drain();
        }
        long now = bytes.get();
        return now > mostBytes.getAndAccumulate(now, Math::max);
    }

    /** Returns the estimated bytes of the unused plans. */
    long bytes() {
        return bytes.get();
    }

    /**
     * Returns the most bytes that the unused plans have had so far. Plans that are in use now come back, so this is
     * what the pool needs, and it seldom changes.
     */
    long mostBytes() {
        return mostBytes.get();
    }

    /** Drops all plans, including those that are returned later. */
    void close() {
        closed = true;
        drain();
    }

    private void drain() {
        Optional<ParameterizedPlan> taken = take();
        while (taken.isPresent()) {
            taken = take();
        }
    }
}
