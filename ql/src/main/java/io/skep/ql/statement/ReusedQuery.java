package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.explain.PlanPrinter;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.reuse.OpenQuery;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.reuse.QueryReuse;
import io.skep.ql.reuse.StatementShape;
import io.skep.ql.reuse.WatchedAnalysis;
import io.skep.ql.session.Session;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** A query that may be compiled by a plan that is kept. */
final class ReusedQuery {
    private final String text;
    private final StatementContext context;
    private final QueryReuse reuse;

    private ReusedQuery(String text, StatementContext context, QueryReuse reuse) {
        this.text = text;
        this.context = context;
        this.reuse = reuse;
    }

    static Optional<ReusedQuery> of(String text, StatementContext context) {
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
            return new ReusedQuery(
                    text, context, new QueryReuse(context.services().plans(), environment, shape));
        });
    }

    Optional<SqlStatement> compile() {
        QueryCompiler compiler = context.compiler();
        return reuse.compile(
                () -> new HiveSqlParser(context.settings().explicit()).parse(text),
                () -> new WatchedAnalysis(new SessionAnalysis(context), context.catalog()),
                compiler::optimized,
                (algebra, query) -> statement(compiler, algebra, query));
    }

    private SqlStatement statement(QueryCompiler compiler, RelNode algebra, OpenQuery query) {
        PhysicalPlan plan = compiler.planned(algebra, query.names());
        return new QueryStatement(query.schema(), () -> PlanPrinter.print(plan), () -> new QueryRun(plan, context));
    }

    /** See {@link QueryReuse#refuse}. */
    void refuse() {
        reuse.refuse();
    }
}
