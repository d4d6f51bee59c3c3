package io.skep.ql.physical;

import io.skep.engine.plan.StageGraph;
import java.util.List;

/** A stage graph and the scans whose splits are still to be enumerated. */
public record PhysicalPlan(StageGraph graph, List<ScanAssignment> scans) {
    public PhysicalPlan {
        scans = List.copyOf(scans);
    }
}
