package io.skep.engine.schedule;

import io.skep.common.query.OperatorStats;
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

    /** Returns the statistics without those of single operators. */
    public ExecutionStats withoutOperators() {
        List<FragmentStats> totals = fragments.stream()
                .map(one -> new FragmentStats(
                        one.fragment(),
                        one.tasks(),
                        one.runningTasks(),
                        one.finishedTasks(),
                        one.failedTasks(),
                        one.outputRows()))
                .toList();
        return new ExecutionStats(
                scheduler, totals, scan, times, peakMemoryBytes, spilledBytes, placement, splitsLeftOut);
    }

    /** @param operators by position in the fragment; of finished tasks, and empty before the first one has finished */
    public record FragmentStats(
            int fragment,
            int tasks,
            int runningTasks,
            int finishedTasks,
            int failedTasks,
            long outputRows,
            List<OperatorStats> operators) {
        public FragmentStats {
            operators = List.copyOf(operators);
        }

        /** Creates statistics of a fragment whose operators are not known. */
        public FragmentStats(
                int fragment, int tasks, int runningTasks, int finishedTasks, int failedTasks, long outputRows) {
            this(fragment, tasks, runningTasks, finishedTasks, failedTasks, outputRows, List.of());
        }
    }
}
