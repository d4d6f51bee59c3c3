package io.skep.llap.client;

import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import java.util.List;

/**
 * The statistics of a task. Times are in nanoseconds, sizes in bytes.
 *
 * @param operators by position in the fragment
 * @param output sizes of its output's partitions, when consumers depend on them
 * @param values the values in those columns of its output that it had to report
 */
public record TaskStats(
        long outputRows,
        OperatorTimes times,
        List<OperatorStats> operators,
        long peakMemoryBytes,
        long spilledBytes,
        long scannedRows,
        long rowGroupsRead,
        long rowGroupsSkipped,
        long bytesRead,
        long cacheHitBytes,
        long cacheMissBytes,
        long ioNanos,
        PartitionSizes output,
        ValueReport values) {
    public TaskStats {
        operators = List.copyOf(operators);
    }

    /** The statistics of a task that has done nothing. */
    public static final TaskStats NONE = new TaskStats(
            0, OperatorTimes.NONE, List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, PartitionSizes.NONE, ValueReport.NONE);
}
