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
 * Optimized queries of all sessions, those used last. Who takes one has it alone and gives it back; when several sessions ask
 * for one shape at once there are several. One whose tables have changed is not given out. What the plans take is estimated by what is in
 * them and bounded by a part of the heap. Thread-safe, without locks.
 */
public final class PlanCache {
    private static final int MAX_SHAPES = 1000;

    /** Characters of the statements whose plans are kept. */
    private static final long MAX_CHARACTERS = 4L << 20;

    /** Plans may take this part of the heap, and one plan this part of that. */
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

    /** @param maxBytes estimated, of all plans */
    PlanCache(Catalog catalog, long maxBytes) {
        this.catalog = catalog;
        this.maxBytes = maxBytes;
        this.plans = new RecentlyUsed<>(
                MAX_SHAPES,
                MAX_CHARACTERS,
                Key::characters,
                new RecentlyUsed.Held<>(bytes::get, maxBytes, PlanPool::close));
    }

    /** What a plan depends on beside its tables. Its hash is made once. */
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
            // Sessions seldom differ in the rest.
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
     * What a plan is kept under.
     *
     * @param free which literals it leaves open
     * @param fixed the others, as they are written
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

    /** What is known of a shape. */
    sealed interface Knowledge {
        record Nothing() implements Knowledge {}

        /** Plans of it cannot be kept. */
        record Refused() implements Knowledge {}

        /** @param free which literals plans have been found to leave open */
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

    /** A plan, for whatever sizes. */
    Optional<ParameterizedPlan> take(Key key) {
        return unchanged(key, PlanPool::take);
    }

    /** A plan for some sizes. */
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

    /** Whether another plan for some sizes would be kept. */
    boolean hasRoomFor(Key key, CardinalityBucket sizes) {
        return plans.find(key).map(queries -> queries.hasRoomFor(sizes)).orElse(true);
    }

    void giveBack(Key key, ParameterizedPlan query) {
        if (query.bytes() <= maxBytes / LARGEST_SHARE && plans.mayKeep(key)) {
            plans.findOrMake(key, () -> new PlanPool(bytes)).giveBack(query);
            plans.drop();
        }
    }

    /** Estimated, of the plans that nobody has taken. */
    long bytes() {
        return bytes.get();
    }

    void count(boolean hit) {
        (hit ? hits : misses).increment();
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
