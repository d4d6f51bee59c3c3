package io.skep.ql.execution;

import io.skep.engine.schedule.StageGraphRun;

/** What the attempts of a {@link QueryRun} run. Its methods wait, and are called one after another, by threads that differ. */
public interface AttemptSource {
    /** Names the next attempt. What earlier ones have given counts no longer. */
    QueryAttemptId begin();

    /** Lists the files that are read. */
    StageGraphRun list(QueryAttemptId attempt);
}
