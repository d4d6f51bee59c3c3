package io.skep.ql.physical;

import io.skep.engine.plan.StageGraph;
import java.util.List;

/**
 * A stage graph and the scans whose splits must still be enumerated.
 *
 * @param answered tables that are not read, because their statistics supply the requested values
 * @param rows the estimated rows of the graph's operators; they stay in this process
 * @param repeatable whether all functions return the same results for the same arguments in each run
 */
public record PhysicalPlan(
        StageGraph graph, List<ScanAssignment> scans, List<String> answered, EstimatedRows rows, boolean repeatable) {
    public PhysicalPlan {
        scans = List.copyOf(scans);
        answered = List.copyOf(answered);
    }
}
