package io.skep.metastore.schedule;

import java.util.Optional;

/**
 * What a server reports about an execution.
 *
 * @param execution the id of the execution
 * @param query the host of the server, a slash, and the id of the query once it is known
 * @param error why it has failed
 */
public record ExecutionReport(long execution, Progress progress, String query, Optional<String> error) {
    /** How far an execution is. */
    public enum Progress {
        RUNNING,
        FINISHED,
        FAILED
    }
}
