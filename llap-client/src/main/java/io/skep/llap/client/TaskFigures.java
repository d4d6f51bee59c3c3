package io.skep.llap.client;

import io.skep.common.query.OperatorTimes;

/**
 * What a task did. Times in nanoseconds, sizes in bytes.
 *
 * @param output sizes of its output's partitions, where consumers go by them
 */
public record TaskFigures(
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
        PartitionSizes output) {}
