package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * The share of the product of some factors' rows that their conditions let through.
 *
 * @param factors bit set
 */
record JoinSelectivity(long factors, double selectivity) {
    /** What is assumed of a condition of which nothing is known. */
    static final double UNKNOWN = 0.3;

    static List<JoinSelectivity> of(
            JoinGraph graph, List<RelNode> factors, Estimates estimates, RelMetadataQuery metadata) {
        Map<Long, List<RexNode>> equalities = new HashMap<>();
        List<JoinSelectivity> selectivities = new ArrayList<>();
        for (RexNode condition : graph.conditions()) {
            long set = graph.factorsOf(condition);
            if (isColumnEquality(condition) && Long.bitCount(set) == 2) {
                equalities.computeIfAbsent(set, key -> new ArrayList<>()).add(condition);
            } else if (Long.bitCount(set) > 1) {
                selectivities.add(new JoinSelectivity(set, UNKNOWN));
            }
        }
        equalities.forEach((set, conditions) -> selectivities.add(
                new JoinSelectivity(set, equalities(conditions, graph, factors, estimates, metadata))));
        return selectivities;
    }

    private static boolean isColumnEquality(RexNode condition) {
        return condition instanceof RexCall call
                && (call.getKind() == SqlKind.EQUALS || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM)
                && call.getOperands().stream().allMatch(RexInputRef.class::isInstance);
    }

    private static double equalities(
            List<RexNode> conditions,
            JoinGraph graph,
            List<RelNode> factors,
            Estimates estimates,
            RelMetadataQuery metadata) {
        List<Estimates.KeyPair> keys = new ArrayList<>();
        for (RexNode condition : conditions) {
            int first = ((RexInputRef) ((RexCall) condition).getOperands().get(0)).getIndex();
            int second = ((RexInputRef) ((RexCall) condition).getOperands().get(1)).getIndex();
            int left = Math.min(first, second);
            int right = Math.max(first, second);
            keys.add(new Estimates.KeyPair(
                    left - graph.offsets().get(graph.factorOf(left)),
                    right - graph.offsets().get(graph.factorOf(right))));
        }
        RexCall any = (RexCall) conditions.getFirst();
        int a = graph.factorOf(((RexInputRef) any.getOperands().get(0)).getIndex());
        int b = graph.factorOf(((RexInputRef) any.getOperands().get(1)).getIndex());
        RelNode left = factors.get(Math.min(a, b));
        RelNode right = factors.get(Math.max(a, b));
        return 1 / estimates.matchingValues(left, right, keys, metadata);
    }
}
