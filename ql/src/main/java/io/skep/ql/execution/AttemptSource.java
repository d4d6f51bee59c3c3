package io.skep.ql.execution;

import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.result.ResultRequest;
import java.util.Optional;

/**
 * Provides the attempts of a {@link QueryRun}. Its methods block. They are called one after another, on different
 * threads.
 */
public interface AttemptSource {
    /** Names the next attempt. Results of earlier attempts become invalid. */
    QueryAttemptId begin();

    /** Lists the files that the attempt reads. */
    StageGraphRun list(QueryAttemptId attempt);

    /** Returns what the rows of a run follow from, if they may come from the cache of results and be kept there. */
    default Optional<ResultRequest> cacheable(StageGraphRun run) {
        return Optional.empty();
    }
}
