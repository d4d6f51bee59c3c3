package io.skep.ql.reuse;

import io.skep.metastore.Catalog;
import io.skep.metastore.Function;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Optimized queries of all sessions, those used last. Who takes one has it alone and gives it back; when several sessions ask
 * for one shape at once there are several. One whose tables have changed is not given out. Guarded by itself.
 */
public final class PlanCache {
    private static final int MOST_SHAPES = 1000;
    /** Of one shape: as many as can be compiled at once, which takes less than a millisecond each. */
    private static final int MOST_COPIES = 8;

    private final Catalog catalog;
    private final Map<Environment, Knowledge> shapes = lru(MOST_SHAPES);
    private final Map<Key, Deque<OpenQuery>> plans = lru(MOST_SHAPES);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public PlanCache(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * What a plan depends on beside its tables.
     *
     * @param shape see {@link StatementShape#text}
     */
    public record Environment(
            String shape, String database, SortedMap<String, String> settings, List<Function> functions) {}

    /** @param fixed the numbers that the plan does not leave open */
    record Key(Environment environment, List<Long> fixed) {}

    private static <K, V> Map<K, V> lru(int capacity) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    /** What is known of a shape. */
    sealed interface Knowledge {
        record Nothing() implements Knowledge {}

        /** Plans of it cannot be kept. */
        record Refused() implements Knowledge {}

        record Open(FreeNumbers numbers) implements Knowledge {}
    }

    synchronized Knowledge of(Environment environment) {
        return shapes.getOrDefault(environment, new Knowledge.Nothing());
    }

    synchronized void learn(Environment environment, FreeNumbers free) {
        shapes.put(environment, new Knowledge.Open(free));
    }

    synchronized void refuse(Environment environment) {
        shapes.put(environment, new Knowledge.Refused());
    }

    Optional<OpenQuery> take(Key key) {
        OpenQuery taken = poll(key);
        while (taken != null && !taken.isUnchanged(catalog)) {
            taken = poll(key);
        }
        (taken == null ? misses : hits).increment();
        return Optional.ofNullable(taken);
    }

    private synchronized @Nullable OpenQuery poll(Key key) {
        Deque<OpenQuery> copies = plans.get(key);
        return copies == null ? null : copies.poll();
    }

    synchronized void giveBack(Key key, OpenQuery query) {
        Deque<OpenQuery> copies = plans.computeIfAbsent(key, ignored -> new ArrayDeque<>());
        if (copies.size() < MOST_COPIES) {
            copies.push(query);
        }
    }

    /** Queries that found a plan. */
    public long hits() {
        return hits.sum();
    }

    /** Queries that could have found one and did not. */
    public long misses() {
        return misses.sum();
    }
}
