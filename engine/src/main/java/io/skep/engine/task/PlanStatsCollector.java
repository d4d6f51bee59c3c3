package io.skep.engine.task;

import io.skep.common.query.OperatorStats;
import io.skep.engine.operator.OperatorStatsCollector;
import io.skep.engine.plan.PlanNode;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Collects the statistics of all nodes of a task's plan, and those of its output. A node that is in the plan twice has
 * the statistics of both in both places. Thread-safe once it is created.
 */
final class PlanStatsCollector {
    private final IdentityHashMap<PlanNode, OperatorStatsCollector> nodes = new IdentityHashMap<>();
    private final List<OperatorStatsCollector> inOrder = new ArrayList<>();
    private final List<Integer> positions;
    private final OperatorStatsCollector output = new OperatorStatsCollector();

    /**
     * @param positions the position in the fragment of each node of the plan, in the order of {@link PlanNode#walk}; -1
     *     for a node that the fragment does not have
     */
    PlanStatsCollector(PlanNode root, List<Integer> positions) {
        this.positions = List.copyOf(positions);
        root.walk(node -> inOrder.add(nodes.computeIfAbsent(node, _ -> new OperatorStatsCollector())));
    }

    OperatorStatsCollector of(PlanNode node) {
        OperatorStatsCollector collector = nodes.get(node);
        if (collector == null) {
            throw new IllegalArgumentException("not a node of the plan: " + node);
        }
        return collector;
    }

    /** Returns the collector of what moves the task's rows to its output. */
    OperatorStatsCollector output() {
        return output;
    }

    /** Returns the statistics of the fragment's nodes by their positions. */
    List<OperatorStats> stats() {
        int size = positions.isEmpty() ? 0 : Collections.max(positions) + 1;
        List<OperatorStats> stats = new ArrayList<>(Collections.nCopies(size, OperatorStats.NONE));
        for (int i = 0; i < positions.size(); i++) {
            if (positions.get(i) >= 0) {
                stats.set(positions.get(i), inOrder.get(i).stats());
            }
        }
        return stats;
    }

    ScanStats scanned() {
        Collection<OperatorStatsCollector> all = nodes.values();
        return all.stream().map(OperatorStatsCollector::scanned).reduce(ScanStats.NONE, ScanStats::plus);
    }
}
