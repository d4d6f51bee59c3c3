package io.skep.llap.client;

import io.skep.common.query.QueryId;

/** A holder of task outputs, as its readers see it. Thread-safe. No call blocks. */
public interface OutputSource {
    /**
     * Opens one partition of a task's output.
     *
     * @param partition 0 when every partition has the same rows (broadcast)
     * @param windowBytes the limit on bytes of pages under way, to which one page may be added
     */
    PageStream open(QueryId query, TaskAttemptId output, int partition, long windowBytes);

    /**
     * Reports that one of the readers for which a broadcast output is kept has got its rows from elsewhere. Harmless
     * when the query has ended.
     */
    void releaseReader(QueryId query, TaskAttemptId output);
}
