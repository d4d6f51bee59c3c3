package io.skep.metastore.schedule;

import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The scheduled queries of a metastore database. Methods fail with METASTORE_ERROR when the database does. Thread-safe.
 */
public interface ScheduledQueryStore {
    /** What has become of a report. */
    enum Answer {
        RECORDED,
        /** The execution has ended before, such as by {@link #endSilent}. Another one may run now. */
        HAS_ENDED,
        /** The scheduled query was dropped, or the execution was deleted. */
        UNKNOWN
    }

    Optional<ScheduledQuery> find(String namespace, String name);

    /** @throws SkepException SCHEDULED_QUERY_EXISTS, or INVALID_ARGUMENT for the schedule */
    void create(ScheduledQuery query);

    /**
     * Changes a scheduled query and computes when it is due next.
     *
     * @throws SkepException SCHEDULED_QUERY_NOT_FOUND, or INVALID_ARGUMENT for the schedule
     */
    void alter(String namespace, String name, UnaryOperator<ScheduledQuery> change);

    /**
     * Makes a scheduled query due now. A disabled one stays disabled.
     *
     * @throws SkepException SCHEDULED_QUERY_NOT_FOUND
     */
    void execute(String namespace, String name);

    /** @throws SkepException SCHEDULED_QUERY_NOT_FOUND */
    void drop(String namespace, String name);

    /** Calls a listener after this server has changed something that may make a query due now. */
    void whenChanged(Runnable listener);

    /**
     * Takes an execution of the enabled scheduled query that is due first. No other server takes it. None takes one of
     * the same scheduled query before this execution has ended.
     */
    Optional<DueQuery> poll(String namespace);

    /** Records that an execution goes on, or how it has ended. */
    Answer report(ExecutionReport report);

    /**
     * Ends the executions about which nothing was reported for this time. Their servers are gone. Returns their number.
     */
    int endSilent(Duration silence);

    /** Deletes the executions that have begun longer ago. Returns their number. */
    int deleteOlder(Duration age);
}
