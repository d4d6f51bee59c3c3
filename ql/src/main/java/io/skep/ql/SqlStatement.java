package io.skep.ql;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.execution.RunListener;
import java.util.Optional;
import java.util.function.Supplier;

/** A compiled statement. It runs once, its rows are read once, and then it is closed. */
public interface SqlStatement extends AutoCloseable {
    /**
     * Returns the schema of the rows, which is known before the statement runs. Empty if the statement returns no rows.
     */
    Optional<ResultSchema> schema();

    /**
     * Returns the columns that clients are told of: those of the rows, or those of the query whose rows are written, as
     * Hive does.
     */
    default Optional<ResultSchema> described() {
        return schema();
    }

    /** Returns the kind of statement in Hive's terms: {@code QUERY}, {@code CREATETABLE}, {@code SWITCHDATABASE}. */
    String operationName();

    /**
     * Returns a renderer of the plan as EXPLAIN shows it, for the server's page. Empty for statements without a plan.
     * It may be kept after the statement is closed, and retains only the plan.
     */
    Optional<Supplier<String>> plan();

    /**
     * Runs the statement. Returns when it has completed, or when its first rows can be read.
     *
     * @param listener receives the progress, and decides whether written data is committed
     */
    void run(RunListener listener);

    /** Returns the rows. May only be called after {@link #run} has returned. */
    ResultStream results();

    /**
     * Returns the estimated bytes of the rows that are buffered in the statement, from the return of {@link #run} until
     * the statement is closed.
     */
    default long rowBytes() {
        return 0;
    }

    /** Returns the estimated bytes that the result of {@link #plan} retains. */
    default long planBytes() {
        return 0;
    }

    /** Returns the number of rows that an INSERT wrote. Empty for other statements. */
    Optional<Long> modifiedRows();

    /**
     * Cancels the statement from any thread. A running {@link #run} and readers of results fail with {@code reason}.
     */
    void cancel(SkepException reason);

    Optional<ExecutionStats> stats();

    /** Closes the statement and releases all its resources. */
    @Override
    void close();
}
