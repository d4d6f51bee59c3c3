package io.skep.ql;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.execution.RunListener;
import java.util.Optional;
import java.util.function.Supplier;

/** A compiled statement: run once, its rows read once, then closed. */
public interface SqlStatement extends AutoCloseable {
    /** Empty when the statement gives no rows. Known before it runs. */
    Optional<ResultSchema> schema();

    /** What kind of statement it is, in Hive's words: {@code QUERY}, {@code CREATETABLE}, {@code SWITCHDATABASE}. */
    String operationName();

    /**
     * Renders the plan as EXPLAIN shows it, for the server's page; empty for statements without one. May be kept when the
     * statement is closed, and keeps no more than the plan.
     */
    Optional<Supplier<String>> plan();

    /**
     * Runs the statement: returns when it is done, or when its first rows are ready to be read.
     *
     * @param listener hears what goes on, and decides whether what is written is committed
     */
    void run(RunListener listener);

    /** The rows; only after {@link #run} has returned. */
    ResultStream results();

    /** Estimated bytes of rows that lie ready in the statement since {@link #run} has returned, until it is closed. */
    default long rowBytes() {
        return 0;
    }

    /** Estimated bytes of what {@link #plan} keeps. */
    default long planBytes() {
        return 0;
    }

    /** Rows that an INSERT wrote; empty for other statements. */
    Optional<Long> modifiedRows();

    /** Cancels from any thread; a running {@link #run} and readers of results fail with {@code reason}. */
    void cancel(SkepException reason);

    Optional<ExecutionStats> figures();

    /** Ends the statement and frees all it holds. */
    @Override
    void close();
}
