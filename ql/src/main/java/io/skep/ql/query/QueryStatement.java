package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.execution.QueryRun;
import io.skep.ql.execution.RunListener;
import io.skep.ql.explain.PlanPrinter;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.PlanBytes;
import io.skep.ql.statement.AnalyzableStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.ScopedStatement;
import io.skep.ql.transaction.TransactionScope;
import java.util.Optional;
import java.util.function.Supplier;

/** A query whose rows are sent to the client. */
public final class QueryStatement implements AnalyzableStatement, ScopedStatement {
    private final ResultSchema schema;
    private final PhysicalPlan plan;
    private final QueryRun run;
    private final TransactionScope scope;
    private final ListedPlan listed;
    private Optional<Batch> first = Optional.empty();
    private boolean ended;

    private QueryStatement(
            ResultSchema schema, PhysicalPlan plan, ListedPlan listed, QueryRun run, TransactionScope scope) {
        this.listed = listed;
        this.schema = schema;
        this.plan = plan;
        this.run = run;
        this.scope = scope;
    }

    /** Compiles a query. */
    public static QueryStatement of(AnalyzedQuery query, QueryCompiler compiler, StatementContext context) {
        ResultSchema schema = new ResultSchema(query.columns());
        Optional<ViewedPlan> viewed = ViewedPlan.of(query, compiler, context);
        if (viewed.isPresent()) {
            TransactionScope scope = context.newTransactionScope();
            return of(schema, viewed.get().plan(), ListedPlan.of(viewed.get(), context, scope), scope, context);
        }
        return of(schema, compiler.query(query.rel(), query.names()).plan(), context);
    }

    /** Compiles a query for EXPLAIN, in the way in which it would run. */
    public static QueryCompiler.Compiled explained(
            AnalyzedQuery query, QueryCompiler compiler, StatementContext context) {
        return ViewedPlan.of(query, compiler, context)
                .map(ViewedPlan::compiled)
                .orElseGet(() -> compiler.query(query.rel(), query.names()));
    }

    /** A query that has been compiled. */
    public static QueryStatement of(ResultSchema schema, PhysicalPlan plan, StatementContext context) {
        TransactionScope scope = context.newTransactionScope();
        return of(schema, plan, new ListedPlan(plan, context, scope), scope, context);
    }

    private static QueryStatement of(
            ResultSchema schema,
            PhysicalPlan plan,
            ListedPlan listed,
            TransactionScope scope,
            StatementContext context) {
        QueryRun run = context.services().runs().of(listed);
        scope.whenLost(run::cancel);
        return new QueryStatement(schema, plan, listed, run, scope);
    }

    /** Prints the plan for EXPLAIN, with what the cache of results has of it. */
    public String explain() {
        return PlanPrinter.print(plan) + listed.explainedResult();
    }

    /** Computes the rows also if they are cached. */
    @Override
    public void tryOut(RunListener listener) {
        listed.computeRows();
        run(listener);
        ResultStream rows = results();
        while (rows.next().isPresent()) {
            // The rows are computed, but not needed.
        }
    }

    @Override
    public String printRun() {
        return PlanPrinter.print(listed.plan(), run.stats());
    }

    @Override
    public Optional<ResultSchema> schema() {
        return Optional.of(schema);
    }

    @Override
    public String operationName() {
        return "QUERY";
    }

    @Override
    public TransactionScope scope() {
        return scope;
    }

    @Override
    public Optional<Supplier<String>> plan() {
        return Optional.of(() -> PlanPrinter.print(plan));
    }

    @Override
    public long planBytes() {
        return PlanBytes.of(plan);
    }

    @Override
    public void run(RunListener listener) {
        run.start(listener);
        first = run.nextRows();
        if (first.isEmpty()) {
            endRows();
        }
    }

    /** Closes the run early, since clients may keep a statement long after they have read its last row. */
    private void endRows() {
        ended = true;
        run.close();
        scope.endReads();
        scope.commit();
    }

    @Override
    public ResultStream results() {
        return () -> {
            Optional<Batch> ready = first;
            first = Optional.empty();
            if (ready.isPresent() || ended) {
                return ready;
            }
            Optional<Batch> next = run.nextRows();
            if (next.isEmpty()) {
                endRows();
            }
            return next;
        };
    }

    @Override
    public Optional<Long> modifiedRows() {
        return Optional.empty();
    }

    @Override
    public void cancel(SkepException reason) {
        run.cancel(reason);
    }

    @Override
    public Optional<ExecutionStats> stats() {
        return run.mayHaveStarted() ? Optional.of(run.stats()) : Optional.empty();
    }

    @Override
    public void close() {
        try (scope) {
            run.close();
        }
    }
}
