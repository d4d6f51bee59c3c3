package io.skep.ql.reuse;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.skep.metastore.Catalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches optimized queries of all sessions, and evicts those that are used least. A caller that takes a plan has it
 * exclusively until it returns the plan. If several sessions request the same shape at once, several plans exist. A
 * plan is not handed out after its tables have changed. The size of the plans is estimated from their contents and
 * bounded by a share of the heap. Thread-safe; look-ups take no lock.
 *
 * <p>Number, characters and bytes have a bound each, but a cache has one weight: the weight of an entry is the largest
 * of its shares of the bounds, and all shares together are at most one.
 */
public final class PlanCache {
    private static final int MAX_SHAPES = 1000;

    /** The total number of characters of the statements whose plans are cached. */
    private static final long MAX_CHARACTERS = 4L << 20;

    /** The inverse of the share of the heap that all plans together may use. */
    private static final long HEAP_SHARE = 32;

    /** The inverse of the share of a bound that a single statement or plan may use. */
    private static final long LARGEST_SHARE = 16;

    /** The weight of an entry that uses a bound up. */
    private static final int WHOLE = 1 << 30;

    private final Catalog catalog;
    private final long maxBytes;
    private final Cache<Environment, Knowledge> shapes;
    private final Cache<Key, PlanPool> plans;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public PlanCache(Catalog catalog) {
        this(catalog, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param maxBytes the estimated bytes of all plans together */
    PlanCache(Catalog catalog, long maxBytes) {
        this.catalog = catalog;
        this.maxBytes = maxBytes;
        this.shapes = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(WHOLE)
                .weigher((Environment shape, Knowledge known) -> weight(shape.characters()))
                .build();
        this.plans = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(WHOLE)
                .weigher((Key key, PlanPool pool) ->
                        Math.max(weight(key.characters()), share(pool.mostBytes(), maxBytes)))
                .evictionListener(PlanCache::evicted)
                .build();
    }

    private static void evicted(@Nullable Key key, @Nullable PlanPool pool, RemovalCause cause) {
        if (pool != null) {
            pool.close();
        }
    }

    private static int weight(long characters) {
        return Math.max(share(1, MAX_SHAPES), share(characters, MAX_CHARACTERS));
    }

    private static int share(long part, long bound) {
        return (int) Math.ceil(Math.min(1.0, (double) part / bound) * WHOLE);
    }

    private static boolean isShort(long characters) {
        return characters <= MAX_CHARACTERS / LARGEST_SHARE;
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
     * @param facts what it depends on of its user
     */
    record Key(Environment environment, Set<Integer> free, List<List<String>> fixed, Map<UserFact, String> facts) {
        private long characters() {
            long sum = environment.characters();
            for (Map.Entry<UserFact, String> fact : facts.entrySet()) {
                sum += fact.getKey().toString().length() + fact.getValue().length();
            }
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

        /**
         * @param free the literals that earlier plans were able to leave open
         * @param asked what the last plan depended on of its user
         */
        record Open(Set<Integer> free, Set<UserFact> asked) implements Knowledge {}
    }

    Knowledge of(Environment environment) {
        Knowledge known = shapes.getIfPresent(environment);
        return known == null ? new Knowledge.Nothing() : known;
    }

    void learn(Environment environment, Set<Integer> free, Set<UserFact> asked) {
        learn(environment, new Knowledge.Open(Set.copyOf(free), Set.copyOf(asked)));
    }

    void markNotCacheable(Environment environment) {
        learn(environment, new Knowledge.Refused());
    }

    private void learn(Environment environment, Knowledge known) {
        if (isShort(environment.characters())) {
            shapes.put(environment, known);
        }
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
        Optional<PlanPool> pool = pool(key);
        Optional<ParameterizedPlan> taken = pool.flatMap(taking);
        while (taken.isPresent() && !taken.get().isUnchanged(catalog)) {
            taken = pool.flatMap(taking);
        }
        return taken;
    }

    private Optional<PlanPool> pool(Key key) {
        return Optional.ofNullable(plans.getIfPresent(key));
    }

    /** Whether another plan for the given sizes would be cached. */
    boolean hasRoomFor(Key key, CardinalityBucket sizes) {
        return pool(key).map(queries -> queries.hasRoomFor(sizes)).orElse(true);
    }

    void release(Key key, ParameterizedPlan query) {
        if (query.bytes() > maxBytes / LARGEST_SHARE || !isShort(key.characters())) {
            return;
        }
        PlanPool pool = plans.get(key, created -> new PlanPool());
        if (pool.release(query)) {
            // Replacing a value by itself weighs it again.
            plans.asMap().computeIfPresent(key, (same, heavier) -> heavier);
        }
    }

    /** Returns the estimated bytes of the plans that are not in use. */
    long bytes() {
        return plans.asMap().values().stream().mapToLong(PlanPool::bytes).sum();
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
