package io.skep.engine.task;

import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.storage.scan.ScanStats;
import java.util.List;

/**
 * Statistics of a task's execution so far.
 *
 * @param operators by position in the fragment
 */
public record TaskStatistics(
        long outputRows,
        OperatorTimes times,
        long peakMemoryBytes,
        long spilledBytes,
        ScanStats scan,
        List<OperatorStats> operators) {
    public TaskStatistics {
        operators = List.copyOf(operators);
    }
}
