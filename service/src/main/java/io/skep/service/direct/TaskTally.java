package io.skep.service.direct;

import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementFigures;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.llap.client.TaskFigures;
import io.skep.storage.scan.ScanFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a query's tasks report. Guarded by itself. */
final class TaskTally {
    private static final class Count {
        int tasks;
        int finished;
        int failed;
        long outputRows;
    }

    private final Map<Integer, Count> counts = new HashMap<>();
    private final PlacementFigures placement;
    private ScanFigures scan = ScanFigures.NONE;
    private OperatorTimes times = OperatorTimes.NONE;
    private long peakMemoryBytes;
    private long spilledBytes;

    TaskTally(PlacementFigures placement) {
        this.placement = placement;
    }

    synchronized void expect(int fragment, int tasks) {
        count(fragment).tasks = tasks;
    }

    private Count count(int fragment) {
        return counts.computeIfAbsent(fragment, ignored -> new Count());
    }

    synchronized void finished(int fragment, TaskFigures figures) {
        Count count = count(fragment);
        count.finished++;
        count.outputRows += figures.outputRows();
        times = times.plus(figures.times());
        peakMemoryBytes += figures.peakMemoryBytes();
        spilledBytes += figures.spilledBytes();
        scan = scan.plus(new ScanFigures(
                figures.scannedRows(),
                figures.rowGroupsRead(),
                figures.rowGroupsSkipped(),
                figures.bytesRead(),
                figures.cacheHitBytes(),
                figures.cacheMissBytes(),
                figures.ioNanos()));
    }

    synchronized void failed(int fragment) {
        count(fragment).failed++;
    }

    synchronized ExecutionFigures figures(String scheduler, StageGraph graph) {
        List<ExecutionFigures.FragmentFigures> fragments = new ArrayList<>();
        for (Fragment fragment : graph.fragments()) {
            Count count = count(fragment.id());
            int running = count.tasks - count.finished - count.failed;
            fragments.add(new ExecutionFigures.FragmentFigures(
                    fragment.id(), count.tasks, running, count.finished, count.failed, count.outputRows));
        }
        return new ExecutionFigures(scheduler, fragments, scan, times, peakMemoryBytes, spilledBytes, placement, 0);
    }
}
