package io.skep.ql.compiler;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.external.ExternalQuery;
import io.skep.ql.external.ExternalReads;
import io.skep.ql.insert.DefaultValues;
import io.skep.ql.optimize.Repeatability;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.SingleScan;
import io.skep.ql.query.ListedPlan;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.session.RoleChoice;
import io.skep.ql.session.Session;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits of a query for readers outside of the server. The query is analyzed, checked and planned like any other one of
 * the session; the tickets are made when the statement runs.
 */
final class GetSplitsHandler implements StatementHandler {
    private final SplitsCall call;

    GetSplitsHandler(SplitsCall call) {
        this.call = call;
    }

    /** Returns what the statement needs: the same as its query. */
    StatementNeeds needs(SyntaxNode statement, StatementContext context) {
        return QueryAccess.query(call.query(context), context);
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        int count = call.count();
        AnalyzedQuery query = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(call.query(context), context))
                .getFirst()
                .query();
        context.access().check();
        PhysicalPlan plan = QueryCompiler.forReading(context)
                .query(query.rel(), query.names())
                .plan();
        boolean repeatable = Repeatability.of(query.rel());
        return CommandStatement.withRows(
                "QUERY",
                columns(),
                log -> rows(context.services()
                        .external()
                        .splits(external(query, plan, repeatable, context), Math.max(0, count))));
    }

    private List<ResultColumn> columns() {
        ResultColumn split = new ResultColumn("split", PrimitiveType.BINARY, "");
        return call.typed() ? List.of(new ResultColumn("type", PrimitiveType.STRING, ""), split) : List.of(split);
    }

    private ExternalQuery external(
            AnalyzedQuery query, PhysicalPlan plan, boolean repeatable, StatementContext context) {
        Session session = context.session();
        // The snapshot of a transactional table needs a transaction that is open while its rows are read.
        // The rows of a table without files are in a file that is deleted with the statement.
        boolean isBound = plan.scans().stream()
                .anyMatch(
                        read -> read.table().isTransactional() || !read.table().hasFiles());
        Optional<StageGraphRun> listed =
                SingleScan.of(plan.graph()).filter(_ -> !isBound).map(graph -> listed(graph, plan, context));
        return new ExternalQuery(
                context.queryId(),
                session.user(),
                query.names(),
                query.types(),
                listed,
                repeatable,
                statement(session, call.text()));
    }

    /** Returns a text with what another session of the user needs to run it. */
    static ExternalQuery.Statement statement(Session session, String text) {
        boolean whole = session.isPlain() && session.roleChoice() instanceof RoleChoice.All;
        return new ExternalQuery.Statement(
                text, session.currentDatabase(), session.settings().overrides(), whole);
    }

    private static StageGraphRun listed(StageGraph graph, PhysicalPlan plan, StatementContext context) {
        StageGraphRun run = new ListedPlan(plan, context, context.newTransactionScope()).list(context.nextAttempt());
        return new StageGraphRun(run.queryId(), graph, run.splits(), run.settings());
    }

    private List<List<Datum>> rows(ExternalReads.Splits splits) {
        List<List<Datum>> rows = new ArrayList<>();
        if (call.typed() || splits.splits().isEmpty()) {
            rows.add(row("schema-split", splits.schema()));
        }
        if (call.typed()) {
            // Each ticket has its plan, but readers of Hive's rows expect one here.
            rows.add(row("plan-split", splits.schema()));
        }
        splits.splits().forEach(split -> rows.add(row("", split)));
        return rows;
    }

    private List<Datum> row(String type, byte[] split) {
        Datum bytes = new Datum.OfBytes(split);
        return call.typed() ? List.of(Datum.ofText(type), bytes) : List.of(bytes);
    }
}
