package io.skep.engine.schedule;

import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.storage.scan.ScanStats;
import java.util.List;

/**
 * Statistics of a query's execution so far.
 *
 * @param scheduler {@code direct} or {@code tez}
 * @param times times that executors spent in the query's operators
 * @param splitsLeftOut number of planned splits that were left out before their tasks began, because the values of a
 *     join's other side showed that they were not needed
 */
public record ExecutionStats(
        String scheduler,
        List<FragmentStats> fragments,
        ScanStats scan,
        OperatorTimes times,
        long peakMemoryBytes,
        long spilledBytes,
        PlacementStats placement,
        long splitsLeftOut) {
    /** Creates statistics of a run whose scheduler does not place splits. */
    public ExecutionStats(
            String scheduler,
            List<FragmentStats> fragments,
            ScanStats scan,
            OperatorTimes times,
            long peakMemoryBytes,
            long spilledBytes) {
        this(scheduler, fragments, scan, times, peakMemoryBytes, spilledBytes, PlacementStats.NONE, 0);
    }

    public ExecutionStats {
        fragments = List.copyOf(fragments);
    }

    public record FragmentStats(
            int fragment, int tasks, int runningTasks, int finishedTasks, int failedTasks, long outputRows) {}
}
