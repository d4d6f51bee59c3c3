package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A query whose rows go to the client. */
final class QueryStatement implements SqlStatement {
    private final ResultSchema schema;
    private final Supplier<String> plan;
    private final QueryRun run;
    private Optional<Batch> first = Optional.empty();
    private boolean ended;

    /** @param plan renders the plan when somebody wants to see it */
    QueryStatement(ResultSchema schema, Supplier<String> plan, QueryRun run) {
        this.schema = schema;
        this.plan = plan;
        this.run = run;
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
    public Optional<String> plan() {
        return Optional.of(plan.get());
    }

    @Override
    public void run(Consumer<String> log) {
        run.start();
        first = run.next();
        ended = first.isEmpty();
    }

    @Override
    public ResultStream results() {
        return () -> {
            Optional<Batch> ready = first;
            first = Optional.empty();
            if (ready.isPresent() || ended) {
                return ready;
            }
            Optional<Batch> next = run.next();
            ended = next.isEmpty();
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
    public Optional<ExecutionFigures> figures() {
        return run.figures();
    }

    @Override
    public void close() {
        run.close();
    }
}
