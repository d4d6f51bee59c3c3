package io.skep.ql.physical;

import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Replaces what a fragment reads: its scans, values and remote sources. */
final class PlanLeaves {
    private PlanLeaves() {}

    /** The tree with its leaves replaced, from left to right. */
    static PlanNode replaced(PlanNode node, UnaryOperator<PlanNode> leaf) {
        return switch (node) {
            case PlanNode.Scan n -> leaf.apply(n);
            case PlanNode.Values n -> leaf.apply(n);
            case PlanNode.RemoteSource n -> leaf.apply(n);
            case PlanNode.Filter n -> new PlanNode.Filter(replaced(n.input(), leaf), n.predicate());
            case PlanNode.Project n -> new PlanNode.Project(replaced(n.input(), leaf), n.expressions());
            case PlanNode.Expand n -> new PlanNode.Expand(replaced(n.input(), leaf), n.projections());
            case PlanNode.Aggregate n ->
                new PlanNode.Aggregate(replaced(n.input(), leaf), n.step(), n.groupColumns(), n.calls());
            case PlanNode.Join n ->
                new PlanNode.Join(
                        n.kind(),
                        replaced(n.left(), leaf),
                        replaced(n.right(), leaf),
                        n.leftKeys(),
                        n.rightKeys(),
                        n.nullSafe(),
                        n.residual(),
                        n.runtimeFilters());
            case PlanNode.Sort n -> new PlanNode.Sort(replaced(n.input(), leaf), n.keys());
            case PlanNode.TopN n -> new PlanNode.TopN(replaced(n.input(), leaf), n.keys(), n.count());
            case PlanNode.Limit n -> new PlanNode.Limit(replaced(n.input(), leaf), n.offset(), n.count());
            case PlanNode.Window n ->
                new PlanNode.Window(replaced(n.input(), leaf), n.partitionColumns(), n.order(), n.calls());
            case PlanNode.UnionAll n -> new PlanNode.UnionAll(all(n.inputs(), leaf));
            case PlanNode.TableFunction n ->
                new PlanNode.TableFunction(
                        replaced(n.input(), leaf), n.function(), n.arguments(), n.functionTypes(), n.outer());
            case PlanNode.TableWrite n ->
                new PlanNode.TableWrite(
                        replaced(n.input(), leaf),
                        n.table(),
                        n.stagingPath(),
                        n.staticPartition(),
                        n.dynamicColumns(),
                        n.summarized());
        };
    }

    private static List<PlanNode> all(List<PlanNode> nodes, UnaryOperator<PlanNode> leaf) {
        List<PlanNode> replaced = new ArrayList<>(nodes.size());
        nodes.forEach(node -> replaced.add(replaced(node, leaf)));
        return replaced;
    }

    static List<PlanNode> of(PlanNode node) {
        List<PlanNode> leaves = new ArrayList<>();
        collect(node, leaves);
        return leaves;
    }

    private static void collect(PlanNode node, List<PlanNode> leaves) {
        if (node instanceof PlanNode.Scan || node instanceof PlanNode.Values || node instanceof PlanNode.RemoteSource) {
            leaves.add(node);
        }
        node.inputs().forEach(input -> collect(input, leaves));
    }
}
