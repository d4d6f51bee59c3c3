package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;

/**
 * Identifies rows that a reader requests.
 *
 * @param partition 0 of a broadcast output
 */
public record PageRequest(QueryId query, TaskAttemptId output, int partition) {}
