package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RetryPolicy;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A query whose rows go to the client. One whose files an overwrite has removed between their listing and their reading runs
 * again over the new ones, as long as no row has been read.
 */
final class QueryStatement implements SqlStatement {
    private final ResultSchema schema;
    private final Supplier<String> plan;
    private final Supplier<QueryRun> runs;
    private volatile QueryRun run;
    private volatile @Nullable SkepException cancelled;
    private Optional<Batch> first = Optional.empty();
    private boolean ended;

    /**
     * @param plan renders the plan when somebody wants to see it
     * @param runs makes a run of the plan
     */
    QueryStatement(ResultSchema schema, Supplier<String> plan, Supplier<QueryRun> runs) {
        this.schema = schema;
        this.plan = plan;
        this.runs = runs;
        this.run = runs.get();
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
    public Optional<Supplier<String>> plan() {
        return Optional.of(plan);
    }

    @Override
    public void run(Consumer<String> log) {
        for (int listing = 1; !begin(listing); listing++) {
            log.accept("A file was removed before it was read: running again");
        }
        if (first.isEmpty()) {
            endRows();
        }
    }

    /** Clients may keep a statement for long after they have read its last row. */
    private void endRows() {
        ended = true;
        run.close();
    }

    /** Runs to the first rows; false when that is to be tried again. */
    private boolean begin(int listing) {
        try {
            run.start();
            first = run.next();
            return true;
        } catch (SkepException e) {
            if (cancelled != null || !isListedAgain(e, listing)) {
                throw e;
            }
        }
        run.close();
        run = runs.get();
        SkepException reason = cancelled;
        if (reason != null) {
            run.cancel(reason);
        }
        return false;
    }

    private static boolean isListedAgain(SkepException failure, int listing) {
        // Files are missing for all schedulers alike.
        RetryPolicy.Failure failed = new RetryPolicy.Failure(
                failure.code(), listing, RetryPolicy.Scheduler.DIRECT, true, false, false, false);
        return RetryPolicy.decide(failed) == RetryPolicy.Decision.LIST_AGAIN;
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
        cancelled = reason;
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
