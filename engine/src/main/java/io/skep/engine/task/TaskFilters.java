package io.skep.engine.task;

import io.skep.engine.filter.RuntimeFilterFuture;
import io.skep.engine.filter.ScanFilter;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The runtime filters of a task, from joins to scans. A join is assembled before the nodes below it. */
final class TaskFilters {
    private final Map<Integer, RuntimeFilterFuture> promises = new HashMap<>();

    /** Creates the filters that a join must provide. */
    List<RuntimeFilterFuture> promise(PlanNode.Join join) {
        List<RuntimeFilterFuture> given = new ArrayList<>();
        for (RuntimeFilter filter : join.runtimeFilters()) {
            RuntimeFilterFuture promise = new RuntimeFilterFuture(filter.column());
            promises.put(filter.id(), promise);
            given.add(promise);
        }
        return given;
    }

    /** Returns the filters that a scan must use. The result is for one operator. */
    List<ScanFilter> of(PlanNode.Scan scan) {
        List<ScanFilter> used = new ArrayList<>();
        for (RuntimeFilter filter : scan.runtimeFilters()) {
            RuntimeFilterFuture promise = promises.get(filter.id());
            if (promise == null) {
                throw new IllegalStateException("no join above scan " + scan.id() + " gives filter " + filter.id());
            }
            used.add(new ScanFilter(promise, filter.column()));
        }
        return used;
    }
}
