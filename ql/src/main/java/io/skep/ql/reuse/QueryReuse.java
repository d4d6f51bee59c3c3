package io.skep.ql.reuse;

import io.skep.common.error.SkepException;
import io.skep.ql.ResultSchema;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles one query by a plan that is kept, or makes the plan. */
public final class QueryReuse {
    private final PlanCache cache;
    private final PlanCache.Environment environment;
    private final StatementShape shape;

    public QueryReuse(PlanCache cache, PlanCache.Environment environment, StatementShape shape) {
        this.cache = cache;
        this.environment = environment;
        this.shape = shape;
    }

    /**
     * The statement, or nothing when no plan of it can be kept; it is then to be compiled by itself, which also says what is
     * wrong with it.
     *
     * @param parser parses the statement
     * @param analysis a new one for each plan that is made
     * @param planner the last steps, for algebra whose values are known
     */
    public <T> Optional<T> compile(
            Supplier<SyntaxNode> parser,
            Supplier<WatchedAnalysis> analysis,
            UnaryOperator<RelNode> optimizer,
            BiFunction<RelNode, OpenQuery, T> planner) {
        Optional<FreeNumbers> free = switch (cache.of(environment)) {
            case PlanCache.Knowledge.Nothing nothing -> learn(parser);
            case PlanCache.Knowledge.Refused refused -> Optional.empty();
            case PlanCache.Knowledge.Open open -> Optional.of(open.numbers());
        };
        return free.flatMap(numbers -> compile(numbers, parser, analysis, optimizer, planner));
    }

    private Optional<FreeNumbers> learn(Supplier<SyntaxNode> parser) {
        try {
            SyntaxNode query = parser.get();
            if (isForClient(query)) {
                FreeNumbers free = FreeNumbers.of(query, shape);
                cache.learn(environment, free);
                return Optional.of(free);
            }
        } catch (SkepException e) {
            // Compiling it by itself says what is wrong.
        }
        return Optional.empty();
    }

    /** To be called when the statement has been compiled by itself: its like is not tried again. */
    public void refuse() {
        cache.refuse(environment);
    }

    private static boolean isForClient(SyntaxNode query) {
        List<SyntaxNode> blocks = query.all(HiveParser.TOK_INSERT);
        return query.is(HiveParser.TOK_QUERY)
                && blocks.size() == 1
                && blocks.getFirst().child(0).is(HiveParser.TOK_DESTINATION)
                && blocks.getFirst().child(0).child(0).is(HiveParser.TOK_DIR)
                && blocks.getFirst().child(0).child(0).child(0).is(HiveParser.TOK_TMP_FILE);
    }

    private <T> Optional<T> compile(
            FreeNumbers free,
            Supplier<SyntaxNode> parser,
            Supplier<WatchedAnalysis> analysis,
            UnaryOperator<RelNode> optimizer,
            BiFunction<RelNode, OpenQuery, T> planner) {
        PlanCache.Key key = new PlanCache.Key(environment, free.fixed(shape));
        Optional<OpenQuery> query = cache.take(key).or(() -> make(free, parser, analysis.get(), optimizer));
        if (query.isEmpty()) {
            return Optional.empty();
        }
        T planned = planner.apply(query.get().bound(free.values(shape)), query.get());
        cache.giveBack(key, query.get());
        return Optional.of(planned);
    }

    private Optional<OpenQuery> make(
            FreeNumbers free, Supplier<SyntaxNode> parser, WatchedAnalysis analysis, UnaryOperator<RelNode> optimizer) {
        try {
            SyntaxNode open = free.open(parser.get(), shape);
            AnalyzedQuery query = new QueryAnalyzer(analysis, new RelFactory())
                    .analyzeInserts(open)
                    .getFirst()
                    .query();
            if (analysis.isPersonal() || !Parameters.areOnlyCompared(query.rel())) {
                return Optional.empty();
            }
            RelNode optimized = optimizer.apply(query.rel());
            return Optional.of(new OpenQuery(
                    optimized, new ResultSchema(query.columns()), query.names(), analysis.dependencies()));
        } catch (SkepException e) {
            return Optional.empty();
        }
    }
}
