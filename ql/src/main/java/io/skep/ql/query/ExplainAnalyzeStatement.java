package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RunListener;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * EXPLAIN ANALYZE of a query: runs it, drops its rows, and returns its plan with what has happened. The query computes
 * its rows also if they are cached.
 */
public final class ExplainAnalyzeStatement implements SqlStatement {
    private final QueryStatement query;
    private final CommandStatement text;
    private RunListener listener = line -> {};

    /** @param query is closed with this statement */
    public ExplainAnalyzeStatement(QueryStatement query) {
        this.query = query;
        this.text = CommandStatement.ofQuery("EXPLAIN", List.of("Explain"), this::run);
        query.computeRows();
    }

    private List<List<Optional<String>>> run(CommandRun run) {
        String printed = run.runQuery(query, () -> {
            query.run(listener);
            ResultStream rows = query.results();
            while (rows.next().isPresent()) {
                // The rows are computed, but not needed.
            }
            return query.printRun();
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
        return query.plan();
    }

    @Override
    public long planBytes() {
        return query.planBytes();
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
        return query.stats();
    }

    @Override
    public void close() {
        try (query) {
            text.close();
        }
    }
}
