package io.skep.ql.reuse;

import io.skep.metastore.Catalog;
import io.skep.metastore.Function;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Optimized queries of all sessions, those used last. Who takes one has it alone and gives it back; when several sessions ask
 * for one shape at once there are several. One whose tables have changed is not given out. Thread-safe, without locks.
 */
public final class PlanCache {
    private static final int MOST_SHAPES = 1000;

    private final Catalog catalog;
    private final RecentlyUsed<Environment, Knowledge> shapes = new RecentlyUsed<>(MOST_SHAPES);
    private final RecentlyUsed<Key, OpenQueries> plans = new RecentlyUsed<>(MOST_SHAPES);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public PlanCache(Catalog catalog) {
        this.catalog = catalog;
    }

    /** What a plan depends on beside its tables. Its hash is made once. */
    public static final class Environment {
        private final String shape;
        private final String database;
        private final SortedMap<String, String> settings;
        private final List<Function> functions;
        private final int hash;

        /** @param shape see {@link StatementShape#text} */
        public Environment(
                String shape, String database, SortedMap<String, String> settings, List<Function> functions) {
            this.shape = shape;
            this.database = database;
            this.settings = settings;
            this.functions = List.copyOf(functions);
            // Sessions seldom differ in the rest.
            this.hash = 31 * shape.hashCode() + database.hashCode();
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

    /** @param fixed the numbers that the plan does not leave open */
    record Key(Environment environment, List<Long> fixed) {}

    /** What is known of a shape. */
    sealed interface Knowledge {
        record Nothing() implements Knowledge {}

        /** Plans of it cannot be kept. */
        record Refused() implements Knowledge {}

        record Open(FreeNumbers numbers) implements Knowledge {}
    }

    Knowledge of(Environment environment) {
        return shapes.find(environment).orElseGet(Knowledge.Nothing::new);
    }

    void learn(Environment environment, FreeNumbers free) {
        shapes.put(environment, new Knowledge.Open(free));
    }

    void refuse(Environment environment) {
        shapes.put(environment, new Knowledge.Refused());
    }

    Optional<OpenQuery> take(Key key) {
        Optional<OpenQuery> taken = poll(key);
        while (taken.isPresent() && !taken.get().isUnchanged(catalog)) {
            taken = poll(key);
        }
        (taken.isEmpty() ? misses : hits).increment();
        return taken;
    }

    private Optional<OpenQuery> poll(Key key) {
        return plans.find(key).flatMap(OpenQueries::take);
    }

    void giveBack(Key key, OpenQuery query) {
        plans.findOrMake(key, OpenQueries::new).giveBack(query);
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
