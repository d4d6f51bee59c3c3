package io.skep.engine.schedule;

import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.storage.scan.ScanStats;
import java.util.List;

/**
 * What a query has done so far.
 *
 * @param scheduler {@code direct} or {@code tez}
 * @param times of executors in its operators
 * @param splitsLeftOut splits that were planned, and that the values of a join's other side have shown not to matter before their tasks began
 */
public record ExecutionStats(
        String scheduler,
        List<FragmentFigures> fragments,
        ScanStats scan,
        OperatorTimes times,
        long peakMemoryBytes,
        long spilledBytes,
        PlacementStats placement,
        long splitsLeftOut) {
    /** Of a run whose scheduler does not place what is read. */
    public ExecutionStats(
            String scheduler,
            List<FragmentFigures> fragments,
            ScanStats scan,
            OperatorTimes times,
            long peakMemoryBytes,
            long spilledBytes) {
        this(scheduler, fragments, scan, times, peakMemoryBytes, spilledBytes, PlacementStats.NONE, 0);
    }

    public ExecutionStats {
        fragments = List.copyOf(fragments);
    }

    public record FragmentFigures(
            int fragment, int tasks, int runningTasks, int finishedTasks, int failedTasks, long outputRows) {}
}
