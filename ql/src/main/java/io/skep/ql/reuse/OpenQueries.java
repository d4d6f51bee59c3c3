package io.skep.ql.reuse;

import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Plans of one shape that nobody has taken, by the sizes that they were made for. Thread-safe. */
final class OpenQueries {
    /** As many as can be compiled at once, which takes less than a millisecond each. */
    private static final int MOST = 8;

    /** Of sizes there are few that matter; one more than these is served by any plan. */
    private static final int MOST_SIZES = 16;

    private final Map<SizeClass, Pool> bySizes = new ConcurrentHashMap<>();
    private volatile Optional<Pool> last = Optional.empty();

    private static final class Pool {
        private final Deque<OpenQuery> queries = new ConcurrentLinkedDeque<>();
        private final AtomicInteger count = new AtomicInteger();

        private Optional<OpenQuery> take() {
            OpenQuery taken = queries.poll();
            if (taken != null) {
                count.decrementAndGet();
            }
            return Optional.ofNullable(taken);
        }

        private void giveBack(OpenQuery query) {
            if (count.incrementAndGet() <= MOST) {
                queries.push(query);
            } else {
                count.decrementAndGet();
            }
        }
    }

    /** A plan for any sizes, first of those asked for last. */
    Optional<OpenQuery> take() {
        Optional<OpenQuery> taken = last.flatMap(Pool::take);
        for (Pool pool : bySizes.values()) {
            taken = taken.or(pool::take);
        }
        return taken;
    }

    Optional<OpenQuery> take(SizeClass sizes) {
        return Optional.ofNullable(bySizes.get(sizes)).flatMap(Pool::take);
    }

    boolean hasRoomFor(SizeClass sizes) {
        return bySizes.size() < MOST_SIZES || bySizes.containsKey(sizes);
    }

    void giveBack(OpenQuery query) {
        Pool pool = bySizes.computeIfAbsent(query.sizes(), sizes -> new Pool());
        pool.giveBack(query);
        last = Optional.of(pool);
    }
}
