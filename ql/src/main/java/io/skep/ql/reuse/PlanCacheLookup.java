package io.skep.ql.reuse;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.ql.ResultSchema;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles one query with a cached plan, or creates the plan. Each statement has one instance. */
public final class PlanCacheLookup<T> {
    /**
     * The maximum number of nodes of a small plan, which bounds the depth of its traversal. The plan of a typical
     * report has about 50.
     */
    private static final int SMALL = 256;

    private final PlanCache cache;
    private final PlanCache.Environment environment;
    private final StatementShape shape;
    private final Steps<T> steps;
    private Predicate<ParameterizedPlan> wanted = query -> true;
    private boolean another;

    /** The steps of compiling one statement. */
    public interface Steps<T> {
        SyntaxNode parse();

        /** Returns a new context for each plan that is created. */
        DependencyTrackingContext analysis();

        RelNode optimize(RelNode analyzed);

        /**
         * Runs before each use of a plan.
         *
         * @throws SkepException when the session may not read one of the columns
         */
        void authorize(List<ColumnRead> reads);

        /** Whether a query of some tables is to be compiled without the cache, since something else may answer it. */
        boolean mayBeAnswered(Set<String> tables);

        /** Returns the value of a fact for the session's user, as it is now. */
        String value(UserFact fact);

        /** Returns estimates for algebra whose values are known. */
        RelMetadataQuery metadata(RelNode algebra);

        /** Runs the last steps, for algebra whose values are known. */
        T plan(RelNode algebra, ParameterizedPlan query);
    }

    public PlanCacheLookup(PlanCache cache, PlanCache.Environment environment, StatementShape shape, Steps<T> steps) {
        this.cache = cache;
        this.environment = environment;
        this.shape = shape;
        this.steps = steps;
    }

    /** A plan, its cache key, and the algebra with this statement's values. */
    private record Bound(PlanCache.Key key, ParameterizedPlan query, RelNode algebra) {}

    /**
     * Compiles the statement. Empty if it must be compiled without the cache, which also reports its errors. This is so
     * if no plan of its shape can be cached, or if its own values would have led to another plan.
     */
    public Optional<T> compile() {
        return switch (cache.of(environment)) {
            case PlanCache.Knowledge.Nothing nothing -> finishPlan(createAndBind());
            case PlanCache.Knowledge.Refused refused -> Optional.empty();
            case PlanCache.Knowledge.Open open -> finishPlan(findCached(open).or(this::createAndBind));
        };
    }

    /**
     * Compiles the statement with a small cached plan, and never creates one. The stack of any thread is large enough
     * for it.
     */
    public Optional<T> compileWithSmallPlan() {
        wanted = ParameterizedPlan::isSmall;
        return cache.of(environment) instanceof PlanCache.Knowledge.Open open
                ? finishPlan(findCached(open))
                : Optional.empty();
    }

    /**
     * Must be called after the statement has been compiled without the cache. Marks its shape as not cacheable, unless
     * only this statement's values required another plan.
     */
    public void markNotCacheable() {
        if (!another) {
            cache.markNotCacheable(environment);
        }
    }

    private Optional<T> finishPlan(Optional<Bound> bound) {
        return bound.map(found -> {
            try {
                steps.authorize(found.query().reads());
            } catch (SkepException e) {
                cache.release(found.key(), found.query());
                throw e;
            }
            T planned = steps.plan(found.algebra(), found.query());
            cache.release(found.key(), found.query());
            return planned;
        });
    }

    private PlanCache.Key key(Set<Integer> free, Map<UserFact, String> facts) {
        return new PlanCache.Key(environment, free, LiftedLiterals.fixed(shape, free), facts);
    }

    /** Finds a cached plan that was created for values with the same expected row counts. */
    private Optional<Bound> findCached(PlanCache.Knowledge.Open known) {
        Map<UserFact, String> facts =
                known.asked().stream().collect(Collectors.toUnmodifiableMap(Function.identity(), steps::value));
        PlanCache.Key key = key(known.free(), facts);
        Optional<Bound> bound = cache.take(key).flatMap(query -> bindValues(key, query));
        if (bound.isEmpty()) {
            return Optional.empty();
        }
        ParameterizedPlan query = bound.get().query();
        CardinalityBucket sizes = query.hasJoins() ? sizes(bound.get().algebra()) : CardinalityBucket.ANY;
        if (query.sizes().equals(sizes) || !cache.hasRoomFor(key, sizes)) {
            cache.count(true);
            return bound;
        }
        cache.release(key, query);
        Optional<Bound> fitting = cache.take(key, sizes).flatMap(other -> bindValues(key, other));
        fitting.ifPresent(found -> cache.count(true));
        return fitting;
    }

    private CardinalityBucket sizes(RelNode algebra) {
        return CardinalityBucket.of(algebra, steps.metadata(algebra));
    }

    /**
     * Binds the statement's values to a plan. Empty if the values need another plan. That plan is not created; the
     * statement is compiled without the cache.
     */
    private Optional<Bound> bindValues(PlanCache.Key key, ParameterizedPlan query) {
        Optional<RelNode> algebra = wanted.test(query) && !steps.mayBeAnswered(query.tables())
                ? query.bindValues(shape, steps.analysis())
                : Optional.empty();
        if (algebra.isEmpty()) {
            another = true;
            cache.release(key, query);
        }
        return algebra.map(known -> new Bound(key, query, known));
    }

    private Optional<Bound> createAndBind() {
        if (another) {
            return Optional.empty();
        }
        Optional<ParameterizedPlan> query = make();
        if (query.isEmpty()) {
            return Optional.empty();
        }
        Set<Integer> free = query.get().free();
        Map<UserFact, String> facts = query.get().facts();
        cache.learn(environment, free, facts.keySet());
        cache.count(false);
        return bindValues(key(free, facts), query.get()).map(bound -> {
            ParameterizedPlan made = bound.query();
            return made.hasJoins() ? new Bound(bound.key(), made.of(sizes(bound.algebra())), bound.algebra()) : bound;
        });
    }

    private Optional<ParameterizedPlan> make() {
        try {
            SyntaxNode parsed = steps.parse();
            if (!isForClient(parsed)) {
                return Optional.empty();
            }
            LiftedLiterals.Opened opened = LiftedLiterals.open(parsed, shape);
            DependencyTrackingContext analysis = steps.analysis();
            AnalyzedQuery query = new QueryAnalyzer(analysis, new RelFactory())
                    .analyzeInserts(opened.query())
                    .getFirst()
                    .query();
            return analysis.dependsOnTime() ? Optional.empty() : createPlan(opened.literals(), query, analysis);
        } catch (SkepException e) {
            // Compiling without the cache reports the error.
            return Optional.empty();
        }
    }

    /** Creates the plan. A literal may stay open only if the analysis used its type and not its value. */
    private Optional<ParameterizedPlan> createPlan(
            LiftedLiterals literals, AnalyzedQuery query, DependencyTrackingContext analysis) {
        Optional<Map<Integer, SqlType>> types = Parameters.types(query.rel());
        if (types.isEmpty() || !Collections.disjoint(types.get().keySet(), analysis.parametersWithValueUse())) {
            return Optional.empty();
        }
        List<ParameterizedPlan.Parameter> parameters = new ArrayList<>();
        for (LiftedLiteral literal : literals.literals()) {
            Optional.ofNullable(types.get().get(literal.index()))
                    .ifPresent(type -> parameters.add(new ParameterizedPlan.Parameter(literal, type)));
        }
        RelNode optimized = steps.optimize(query.rel());
        Parameters.Size size = Parameters.size(optimized);
        return Optional.of(new ParameterizedPlan(
                optimized,
                new ResultSchema(query.columns()),
                query.names(),
                analysis.dependencies(),
                analysis.reads(),
                analysis.facts(),
                parameters,
                CardinalityBucket.ANY,
                size.nodes() <= SMALL,
                size.bytes()));
    }

    private static boolean isForClient(SyntaxNode query) {
        List<SyntaxNode> blocks = query.all(HiveParser.TOK_INSERT);
        return query.is(HiveParser.TOK_QUERY)
                && blocks.size() == 1
                && blocks.getFirst().child(0).is(HiveParser.TOK_DESTINATION)
                && blocks.getFirst().child(0).child(0).is(HiveParser.TOK_DIR)
                && blocks.getFirst().child(0).child(0).child(0).is(HiveParser.TOK_TMP_FILE);
    }
}
