package io.skep.llap.client;

import io.skep.common.query.QueryId;

/** Who has outputs of tasks, as those see it who read them. Thread-safe, never blocks. */
public interface OutputSource {
    /**
     * Opens one partition of a task's output.
     *
     * @param partition 0 when every partition has the same rows (broadcast)
     * @param windowBytes so many bytes of pages may be under way, and one page on top
     */
    PageStream open(QueryId query, OutputId output, int partition, long windowBytes);

    /**
     * Says that one of those for whom a broadcast output is kept has its rows from elsewhere. Harmless when the query has
     * ended.
     */
    void pass(QueryId query, OutputId output);
}
