package io.skep.engine.schedule;

import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementFigures;
import io.skep.storage.scan.ScanFigures;
import java.util.List;

/**
 * What a query has done so far.
 *
 * @param scheduler {@code direct} or {@code tez}
 * @param times of executors in its operators
 * @param splitsLeftOut splits that were planned, and that the values of a join's other side have shown not to matter before their tasks began
 */
public record ExecutionFigures(
        String scheduler,
        List<FragmentFigures> fragments,
        ScanFigures scan,
        OperatorTimes times,
        long peakMemoryBytes,
        long spilledBytes,
        PlacementFigures placement,
        long splitsLeftOut) {
    /** Of a run whose scheduler does not place what is read. */
    public ExecutionFigures(
            String scheduler,
            List<FragmentFigures> fragments,
            ScanFigures scan,
            OperatorTimes times,
            long peakMemoryBytes,
            long spilledBytes) {
        this(scheduler, fragments, scan, times, peakMemoryBytes, spilledBytes, PlacementFigures.NONE, 0);
    }

    public ExecutionFigures {
        fragments = List.copyOf(fragments);
    }

    public record FragmentFigures(
            int fragment, int tasks, int runningTasks, int finishedTasks, int failedTasks, long outputRows) {}
}
