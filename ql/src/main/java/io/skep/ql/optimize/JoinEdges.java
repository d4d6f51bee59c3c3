package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** Estimates a join graph: the rows of its factors, and the selectivity of the equal columns that connect any two. */
final class JoinEdges {
    private final JoinGraph graph;
    private final List<RelNode> factors;
    private final MatchingValues matching;
    private final Selectivities selectivities;
    private final RelMetadataQuery metadata;

    /** @param factors the graph's factors in the form in which they will be joined */
    JoinEdges(JoinGraph graph, List<RelNode> factors, AlgebraMetadata algebra, RelMetadataQuery metadata) {
        this.graph = graph;
        this.factors = factors;
        this.matching = algebra.matching();
        this.selectivities = algebra.selectivities();
        this.metadata = metadata;
    }

    JoinCardinality cardinality(ColumnClasses classes) {
        double[] rows = new double[factors.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Estimates.rows(factors.get(i), metadata);
        }
        List<ImmutableBitSet> equal = new ArrayList<>(classes.classes());
        equal.addAll(classes.pairs());
        List<JoinCardinality.Condition> conditions = classes.others().stream()
                .filter(condition -> !ColumnClasses.isColumnEquality(condition))
                .map(condition -> new JoinCardinality.Condition(graph.factorsOf(condition), share(condition)))
                .toList();
        return new JoinCardinality(rows, equal.size(), edges(equal), conditions);
    }

    private List<JoinCardinality.Edge> edges(List<ImmutableBitSet> classes) {
        List<JoinCardinality.Edge> edges = new ArrayList<>();
        for (int first = 0; first < factors.size(); first++) {
            for (int second = first + 1; second < factors.size(); second++) {
                Map<Integer, Estimates.KeyPair> keys = new TreeMap<>();
                for (int i = 0; i < classes.size(); i++) {
                    int left = firstOf(classes.get(i), first);
                    int right = firstOf(classes.get(i), second);
                    if (left >= 0 && right >= 0) {
                        keys.put(i, new Estimates.KeyPair(left, right));
                    }
                }
                if (!keys.isEmpty()) {
                    edges.add(edge(first, second, keys));
                }
            }
        }
        return edges;
    }

    /** Returns the first of a factor's own columns that belongs to a class, or -1. */
    private int firstOf(ImmutableBitSet equal, int factor) {
        int offset = graph.offsets().get(factor);
        int column = equal.nextSetBit(offset);
        return column >= 0 && graph.factorOf(column) == factor ? column - offset : -1;
    }

    private JoinCardinality.Edge edge(int first, int second, Map<Integer, Estimates.KeyPair> keys) {
        RelNode left = factors.get(first);
        RelNode right = factors.get(second);
        Map<Integer, Double> single = new TreeMap<>();
        keys.forEach((ofClass, key) -> single.put(ofClass, matching.of(left, right, List.of(key), metadata)));
        double together = single.size() == 1
                ? single.values().iterator().next()
                : matching.of(left, right, List.copyOf(keys.values()), metadata);
        return new JoinCardinality.Edge(first, second, single, together);
    }

    /**
     * Returns the share of rows that a condition keeps. Its implied conditions on single factors have already filtered
     * these rows.
     */
    private double share(RexNode condition) {
        long set = graph.factorsOf(condition);
        if (condition.getKind() != SqlKind.OR) {
            return JoinCardinality.UNKNOWN;
        }
        double kept = 0;
        double[] ofFactors = new double[factors.size()];
        for (RexNode branch : RelOptUtil.disjunctions(condition)) {
            double[] asked = selectedShares(branch);
            kept += Arrays.stream(asked).reduce(1, (one, other) -> one * other);
            for (int i = 0; i < asked.length; i++) {
                ofFactors[i] = Math.min(1, ofFactors[i] + asked[i]);
            }
        }
        double before = 1;
        for (long left = set; left != 0; left &= left - 1) {
            before *= ofFactors[Long.numberOfTrailingZeros(left)];
        }
        return before == 0 ? JoinCardinality.UNKNOWN : Math.min(1, kept / before);
    }

    /**
     * Returns the share of each factor's rows that a branch selects. The selectivity of a conjunct on several factors
     * is assigned to the last of them.
     */
    private double[] selectedShares(RexNode branch) {
        double[] shares = new double[factors.size()];
        Arrays.fill(shares, 1);
        for (RexNode conjunct : RelOptUtil.conjunctions(branch)) {
            long set = graph.factorsOf(conjunct);
            int last = Math.max(0, 63 - Long.numberOfLeadingZeros(set));
            shares[last] *= Long.bitCount(set) == 1 ? ofFactor(conjunct, last) : JoinCardinality.UNKNOWN;
        }
        return shares;
    }

    private double ofFactor(RexNode condition, int factor) {
        RexNode own = RexUtil.shift(condition, -graph.offsets().get(factor));
        return selectivities.of(own, graph.factors().get(factor), metadata);
    }
}
