package io.skep.engine.task;

import io.skep.common.query.OperatorTimes;
import io.skep.storage.scan.ScanStats;

/** Statistics of a task's execution so far. */
public record TaskStatistics(
        long outputRows, OperatorTimes times, long peakMemoryBytes, long spilledBytes, ScanStats scan) {}
