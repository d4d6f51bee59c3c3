package io.skep.llap.client;

/** What a task did. Times in nanoseconds, sizes in bytes. */
public record TaskFigures(
        long outputRows,
        long cpuNanos,
        long peakMemoryBytes,
        long spilledBytes,
        long scannedRows,
        long rowGroupsRead,
        long rowGroupsSkipped,
        long bytesRead,
        long cacheHitBytes,
        long cacheMissBytes,
        long ioNanos) {}
