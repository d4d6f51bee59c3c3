package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RunListener;
import io.skep.ql.statement.AnalyzableStatement;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * EXPLAIN ANALYZE of a query or of a statement that writes rows: runs it, drops its rows, and returns its plan with
 * what has happened.
 */
public final class ExplainAnalyzeStatement implements SqlStatement {
    private final AnalyzableStatement explained;
    private final CommandStatement text;
    private RunListener listener = line -> {};

    /** @param explained is closed with this statement */
    public ExplainAnalyzeStatement(AnalyzableStatement explained) {
        this.explained = explained;
        this.text = CommandStatement.ofQuery("EXPLAIN", List.of("Explain"), this::run);
    }

    private List<List<Optional<String>>> run(CommandRun run) {
        String printed = run.runQuery(explained, () -> {
            explained.tryOut(listener);
            return explained.printRun();
        });
        return printed.lines().map(line -> List.of(Optional.of(line))).toList();
    }

    @Override
    public Optional<ResultSchema> schema() {
        return text.schema();
    }

    @Override
    public String operationName() {
        return text.operationName();
    }

    @Override
    public Optional<Supplier<String>> plan() {
        return explained.plan();
    }

    @Override
    public long planBytes() {
        return explained.planBytes();
    }

    @Override
    public void run(RunListener told) {
        listener = told;
        text.run(told);
    }

    @Override
    public ResultStream results() {
        return text.results();
    }

    @Override
    public long rowBytes() {
        return text.rowBytes();
    }

    @Override
    public Optional<Long> modifiedRows() {
        return Optional.empty();
    }

    @Override
    public void cancel(SkepException reason) {
        text.cancel(reason);
    }

    @Override
    public Optional<ExecutionStats> stats() {
        return explained.stats();
    }

    @Override
    public void close() {
        try (explained) {
            text.close();
        }
    }
}
