package io.skep.ql.insert;

import io.skep.common.error.SkepException;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * INSERT into one or more destinations, and CREATE TABLE AS. All rows are written first, and then committed at once.
 */
public final class WriteStatement implements AnalyzableStatement, ScopedStatement {
    private final String operationName;
    private final WriteCommit commit;
    private final ResultSchema described;
    private volatile Optional<Long> modified = Optional.empty();

    private WriteStatement(String operationName, WriteCommit commit, AnalyzedQuery query) {
        this.operationName = operationName;
        this.commit = commit;
        this.described = new ResultSchema(query.columns());
    }

    /** @param query the query of the first destination */
    static WriteStatement insert(List<TableWriter> writers, AnalyzedQuery query, StatementContext context) {
        return writing("QUERY", writers, query, WriteSteps.NONE, context);
    }

    static WriteStatement writing(
            String operation,
            List<TableWriter> writers,
            AnalyzedQuery query,
            WriteSteps steps,
            StatementContext context) {
        WriteCommit commit = new WriteCommit(writers, name -> TableCreation.NONE, steps, context);
        return new WriteStatement(operation, commit, query);
    }

    /** @param creation returns the creation of the table; receives the commit's name */
    public static WriteStatement create(
            TableWriter writer,
            AnalyzedQuery query,
            Function<String, TableCreation> creation,
            StatementContext context) {
        return creating("CREATETABLE_AS_SELECT", writer, query, creation, WriteSteps.NONE, context);
    }

    static WriteStatement creating(
            String operation,
            TableWriter writer,
            AnalyzedQuery query,
            Function<String, TableCreation> creation,
            WriteSteps steps,
            StatementContext context) {
        WriteCommit commit = new WriteCommit(List.of(writer), creation, steps, context);
        return new WriteStatement(operation, commit, query);
    }

    @Override
    public Optional<ResultSchema> schema() {
        return Optional.empty();
    }

    @Override
    public Optional<ResultSchema> described() {
        return Optional.of(described);
    }

    @Override
    public String operationName() {
        return operationName;
    }

    @Override
    public TransactionScope scope() {
        return commit.writers().getFirst().scope();
    }

    @Override
    public Optional<Supplier<String>> plan() {
        List<PhysicalPlan> plans =
                commit.writers().stream().map(TableWriter::plan).toList();
        return Optional.of(() -> plans.stream().map(PlanPrinter::print).collect(Collectors.joining("\n")));
    }

    @Override
    public long planBytes() {
        return commit.writers().stream()
                .map(TableWriter::plan)
                .mapToLong(PlanBytes::of)
                .sum();
    }

    @Override
    public void run(RunListener listener) {
        long rows = commit.run(listener);
        modified = Optional.of(rows);
        listener.log(rows + " rows written");
    }

    @Override
    public void tryOut(RunListener listener) {
        commit.tryOut(listener);
    }

    @Override
    public String printRun() {
        return commit.writers().stream()
                .map(writer -> writer.rows() + " rows were written and dropped\n"
                        + PlanPrinter.print(writer.plan(), writer.run().stats()))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public ResultStream results() {
        return Optional::empty;
    }

    @Override
    public Optional<Long> modifiedRows() {
        return modified;
    }

    @Override
    public void cancel(SkepException reason) {
        commit.cancel(reason);
    }

    @Override
    public Optional<ExecutionStats> stats() {
        QueryRun last = commit.writers().getLast().run();
        return last.mayHaveStarted() ? Optional.of(last.stats()) : Optional.empty();
    }

    @Override
    public void close() {
        commit.close();
    }
}
