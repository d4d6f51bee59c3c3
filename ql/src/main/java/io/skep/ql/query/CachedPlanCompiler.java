package io.skep.ql.query;

import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.ColumnRead;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.reuse.DependencyTrackingContext;
import io.skep.ql.reuse.ParameterizedPlan;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.reuse.PlanCacheLookup;
import io.skep.ql.reuse.StatementShape;
import io.skep.ql.reuse.UserFact;
import io.skep.ql.session.Session;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/** The compilation steps of a query that may use a cached plan. */
public final class CachedPlanCompiler implements PlanCacheLookup.Steps<SqlStatement> {
    private final String text;
    private final StatementContext context;
    private final QueryCompiler compiler;
    private final FreshViews views;

    private CachedPlanCompiler(String text, StatementContext context) {
        this.text = text;
        this.context = context;
        this.compiler = QueryCompiler.forClients(context);
        this.views = new FreshViews(context);
    }

    public static Optional<PlanCacheLookup<SqlStatement>> of(String text, StatementContext context) {
        Session session = context.session();
        if (!session.isPlain()) {
            return Optional.empty();
        }
        return StatementShape.of(text).map(shape -> {
            PlanCache.Environment environment = new PlanCache.Environment(
                    shape.text(),
                    session.currentDatabase(),
                    session.settings().explicit(),
                    context.catalog().functions());
            return new PlanCacheLookup<>(
                    context.services().plans(), environment, shape, new CachedPlanCompiler(text, context));
        });
    }

    @Override
    public SyntaxNode parse() {
        return new HiveSqlParser(context.settings().explicit()).parse(text);
    }

    @Override
    public DependencyTrackingContext analysis() {
        return new DependencyTrackingContext(new SessionAnalysisContext(context), context.catalog());
    }

    @Override
    public RelNode optimize(RelNode analyzed) {
        return compiler.optimized(analyzed);
    }

    @Override
    public void authorize(List<ColumnRead> reads) {
        context.access().declare(StatementNeeds.of("QUERY"));
        context.access().addReads(reads);
        context.access().check();
    }

    @Override
    public boolean mayBeAnswered(Set<String> tables) {
        return views.mayAnswer(tables);
    }

    @Override
    public String value(UserFact fact) {
        return switch (fact) {
            case UserFact.Name _ -> context.session().user();
            case UserFact.Member(String role) ->
                Boolean.toString(context.access().ofSession().isMember(role));
            // A table that is gone makes the plan invalid anyway.
            case UserFact.Policies(String database, String table) ->
                context.session()
                        .table(database, table)
                        .map(found -> context.access().policies().of(found).key())
                        .orElse("");
        };
    }

    @Override
    public RelMetadataQuery metadata(RelNode algebra) {
        return context.services().metadata().query(algebra.getCluster());
    }

    @Override
    public SqlStatement plan(RelNode algebra, ParameterizedPlan query) {
        PhysicalPlan plan = compiler.planned(algebra, query.names());
        return QueryStatement.of(query.schema(), plan, context);
    }
}
