package io.skep.ql.reuse;

import io.skep.metastore.Catalog;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches the most recently used optimized queries of all sessions. A caller that takes a plan has it exclusively until
 * it returns the plan. If several sessions request the same shape at once, several plans exist. A plan is not handed
 * out after its tables have changed. The size of the plans is estimated from their contents and bounded by a share of
 * the heap. Thread-safe, without locks.
 */
public final class PlanCache {
    private static final int MAX_SHAPES = 1000;

    /** The total number of characters of the statements whose plans are cached. */
    private static final long MAX_CHARACTERS = 4L << 20;

    /**
     * The inverse of the share of the heap that all plans together may use. The next constant is the inverse of a
     * single plan's share of that.
     */
    private static final long HEAP_SHARE = 32;

    private static final long LARGEST_SHARE = 16;

    private final Catalog catalog;
    private final RecentlyUsed<Environment, Knowledge> shapes =
            new RecentlyUsed<>(MAX_SHAPES, MAX_CHARACTERS, Environment::characters);
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;
    private final RecentlyUsed<Key, PlanPool> plans;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public PlanCache(Catalog catalog) {
        this(catalog, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param maxBytes the estimated bytes of all plans together */
    PlanCache(Catalog catalog, long maxBytes) {
        this.catalog = catalog;
        this.maxBytes = maxBytes;
        this.plans = new RecentlyUsed<>(
                MAX_SHAPES,
                MAX_CHARACTERS,
                Key::characters,
                new RecentlyUsed.Held<>(bytes::get, maxBytes, PlanPool::close));
    }

    /** What a plan depends on in addition to its tables. Its hash is computed once. */
    public static final class Environment {
        private final String shape;
        private final String database;
        private final SortedMap<String, String> settings;
        private final List<io.skep.metastore.Function> functions;
        private final int hash;

        /** @param shape see {@link StatementShape#text} */
        public Environment(
                String shape,
                String database,
                SortedMap<String, String> settings,
                List<io.skep.metastore.Function> functions) {
            this.shape = shape;
            this.database = database;
            this.settings = settings;
            this.functions = List.copyOf(functions);
            // The other fields seldom differ between sessions.
            this.hash = 31 * shape.hashCode() + database.hashCode();
        }

        private long characters() {
            return shape.length();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Environment that
                    && hash == that.hash
                    && shape.equals(that.shape)
                    && database.equals(that.database)
                    && settings.equals(that.settings)
                    && functions.equals(that.functions);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /**
     * The key of a cached plan.
     *
     * @param free the literals that it leaves open
     * @param fixed the other literals, as written
     */
    record Key(Environment environment, Set<Integer> free, List<List<String>> fixed) {
        private long characters() {
            long sum = environment.characters();
            for (List<String> texts : fixed) {
                for (String text : texts) {
                    sum += text.length();
                }
            }
            return sum;
        }
    }

    /** The state of a shape in the cache. */
    sealed interface Knowledge {
        record Nothing() implements Knowledge {}

        /** Plans of this shape cannot be cached. */
        record Refused() implements Knowledge {}

        /** @param free the literals that earlier plans were able to leave open */
        record Open(Set<Integer> free) implements Knowledge {}
    }

    Knowledge of(Environment environment) {
        return shapes.find(environment).orElseGet(Knowledge.Nothing::new);
    }

    void learn(Environment environment, Set<Integer> free) {
        shapes.put(environment, new Knowledge.Open(Set.copyOf(free)));
    }

    void refuse(Environment environment) {
        shapes.put(environment, new Knowledge.Refused());
    }

    /** Takes a plan for any sizes. */
    Optional<ParameterizedPlan> take(Key key) {
        return unchanged(key, PlanPool::take);
    }

    /** Takes a plan for the given sizes. */
    Optional<ParameterizedPlan> take(Key key, CardinalityBucket sizes) {
        return unchanged(key, queries -> queries.take(sizes));
    }

    private Optional<ParameterizedPlan> unchanged(Key key, Function<PlanPool, Optional<ParameterizedPlan>> taking) {
        Optional<ParameterizedPlan> taken = plans.find(key).flatMap(taking);
        while (taken.isPresent() && !taken.get().isUnchanged(catalog)) {
            taken = plans.find(key).flatMap(taking);
        }
        return taken;
    }

    /** Whether another plan for the given sizes would be cached. */
    boolean hasRoomFor(Key key, CardinalityBucket sizes) {
        return plans.find(key).map(queries -> queries.hasRoomFor(sizes)).orElse(true);
    }

    void giveBack(Key key, ParameterizedPlan query) {
        if (query.bytes() <= maxBytes / LARGEST_SHARE && plans.mayKeep(key)) {
            plans.findOrMake(key, () -> new PlanPool(bytes)).giveBack(query);
            plans.drop();
        }
    }

    /** Returns the estimated bytes of the plans that are not in use. */
    long bytes() {
        return bytes.get();
    }

    void count(boolean hit) {
        (hit ? hits : misses).increment();
    }

    /** Returns the number of queries that found a plan. */
    public long hits() {
        return hits.sum();
    }

    /** Returns the number of queries that could have found a plan but did not. */
    public long misses() {
        return misses.sum();
    }
}
