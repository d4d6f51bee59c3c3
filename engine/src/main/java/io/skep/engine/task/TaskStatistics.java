package io.skep.engine.task;

import io.skep.storage.scan.ScanFigures;

/** What a task has done so far. */
public record TaskStatistics(
        long outputRows, long cpuNanos, long peakMemoryBytes, long spilledBytes, ScanFigures scan) {}
