package io.skep.ql.reuse;

import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Plans of one shape that nobody has taken, by the sizes that they were made for. Thread-safe. */
final class PlanPool {
    /** As many as can be compiled at once, which takes less than a millisecond each. */
    private static final int MOST = 8;

    /** Of sizes there are few that matter; one more than these is served by any plan. */
    private static final int MAX_SIZES = 16;

    private final Map<CardinalityBucket, Pool> bySizes = new ConcurrentHashMap<>();
    private final AtomicLong bytes;
    private volatile Optional<Pool> last = Optional.empty();
    private volatile boolean closed;

    /** @param bytes of the plans that lie here and in others of the same cache */
    PlanPool(AtomicLong bytes) {
        this.bytes = bytes;
    }

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

        private void giveBack(ParameterizedPlan query) {
            if (count.incrementAndGet() <= MOST) {
                bytes.addAndGet(query.bytes());
                queries.push(query);
            } else {
                count.decrementAndGet();
            }
        }
    }

    /** A plan for any sizes, first of those asked for last. */
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

    void giveBack(ParameterizedPlan query) {
        Pool pool = bySizes.computeIfAbsent(query.sizes(), sizes -> new Pool());
        pool.giveBack(query);
        last = Optional.of(pool);
        if (closed) {
            drain();
        }
    }

    /** Keeps nothing any more, also of what is given back later. */
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
