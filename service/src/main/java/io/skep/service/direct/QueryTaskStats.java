package io.skep.service.direct;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.llap.client.TaskStats;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the statistics that a query's tasks report. Guarded by itself. */
final class QueryTaskStats {
    private static final class Count {
        int tasks;
        int finished;
        int failed;
        long outputRows;
        List<OperatorStats> operators = List.of();
    }

    @GuardedBy("this")
    private final Map<Integer, Count> counts = new HashMap<>();

    private final PlacementStats placement;

    @GuardedBy("this")
    private ScanStats scan = ScanStats.NONE;

    @GuardedBy("this")
    private OperatorTimes times = OperatorTimes.NONE;

    @GuardedBy("this")
    private long peakMemoryBytes;

    @GuardedBy("this")
    private long spilledBytes;

    QueryTaskStats(PlacementStats placement) {
        this.placement = placement;
    }

    synchronized void expect(int fragment, int tasks) {
        count(fragment).tasks = tasks;
    }

    @GuardedBy("this")
    private Count count(int fragment) {
        return counts.computeIfAbsent(fragment, ignored -> new Count());
    }

    synchronized void finished(int fragment, TaskStats stats) {
        Count count = count(fragment);
        count.finished++;
        count.outputRows += stats.outputRows();
        count.operators = OperatorStats.sum(count.operators, stats.operators());
        times = times.plus(stats.times());
        peakMemoryBytes += stats.peakMemoryBytes();
        spilledBytes += stats.spilledBytes();
        scan = scan.plus(new ScanStats(
                stats.scannedRows(),
                stats.rowGroupsRead(),
                stats.rowGroupsSkipped(),
                stats.bytesRead(),
                stats.cacheHitBytes(),
                stats.cacheMissBytes(),
                stats.ioNanos()));
    }

    synchronized void failed(int fragment) {
        count(fragment).failed++;
    }

    synchronized ExecutionStats stats(String scheduler, StageGraph graph) {
        List<ExecutionStats.FragmentStats> fragments = new ArrayList<>();
        for (Fragment fragment : graph.fragments()) {
            Count count = count(fragment.id());
            int running = count.tasks - count.finished - count.failed;
            fragments.add(new ExecutionStats.FragmentStats(
                    fragment.id(),
                    count.tasks,
                    running,
                    count.finished,
                    count.failed,
                    count.outputRows,
                    count.operators));
        }
        return new ExecutionStats(scheduler, fragments, scan, times, peakMemoryBytes, spilledBytes, placement, 0);
    }
}
