package io.skep.engine.schedule;

import io.skep.storage.scan.ScanFigures;
import java.util.List;

/**
 * What a query has done so far.
 *
 * @param scheduler {@code direct} or {@code tez}
 * @param cpuNanos time that executors spent in its operators
 */
public record ExecutionFigures(
        String scheduler,
        List<FragmentFigures> fragments,
        ScanFigures scan,
        long cpuNanos,
        long peakMemoryBytes,
        long spilledBytes) {
    public ExecutionFigures {
        fragments = List.copyOf(fragments);
    }

    public record FragmentFigures(
            int fragment, int tasks, int runningTasks, int finishedTasks, int failedTasks, long outputRows) {}
}
