package io.skep.ql.physical;

import io.skep.engine.plan.StageGraph;
import java.util.List;

/**
 * A stage graph and the scans whose splits are still to be enumerated.
 *
 * @param answered tables that are not read, since their statistics have what is asked of them
 */
public record PhysicalPlan(StageGraph graph, List<ScanAssignment> scans, List<String> answered) {
    public PhysicalPlan {
        scans = List.copyOf(scans);
        answered = List.copyOf(answered);
    }
}
