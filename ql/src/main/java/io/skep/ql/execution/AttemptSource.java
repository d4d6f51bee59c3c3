package io.skep.ql.execution;

import io.skep.engine.schedule.StageGraphRun;

/**
 * Provides the attempts of a {@link QueryRun}. Its methods block. They are called one after another, on different
 * threads.
 */
public interface AttemptSource {
    /** Names the next attempt. Results of earlier attempts become invalid. */
    QueryAttemptId begin();

    /** Lists the files that the attempt reads. */
    StageGraphRun list(QueryAttemptId attempt);
}
