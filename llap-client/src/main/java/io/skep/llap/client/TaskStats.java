package io.skep.llap.client;

import io.skep.common.query.OperatorTimes;

/**
 * What a task did. Times in nanoseconds, sizes in bytes.
 *
 * @param output sizes of its output's partitions, where consumers go by them
 * @param values of the columns of its output that were to be told
 */
public record TaskStats(
        long outputRows,
        OperatorTimes times,
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
    /** Of a task that has done nothing. */
    public static final TaskStats NONE =
            new TaskStats(0, OperatorTimes.NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, PartitionSizes.NONE, ValueReport.NONE);
}
