package io.skep.engine.task;

import io.skep.common.query.OperatorTimes;
import io.skep.storage.scan.ScanStats;

/** What a task has done so far. */
public record TaskStatistics(
        long outputRows, OperatorTimes times, long peakMemoryBytes, long spilledBytes, ScanStats scan) {}
