package io.skep.engine.plan;

import java.util.List;

/** Replaces the inputs of a plan's nodes. */
public final class PlanInputs {
    private PlanInputs() {}

    /** Returns the same node over the same number of other inputs. A node without inputs is returned unchanged. */
    public static PlanNode replaced(PlanNode node, List<PlanNode> inputs) {
        return switch (node) {
            case PlanNode.Scan n -> n;
            case PlanNode.Values n -> n;
            case PlanNode.RemoteSource n -> n;
            case PlanNode.Filter n -> new PlanNode.Filter(inputs.getFirst(), n.predicate());
            case PlanNode.Project n -> new PlanNode.Project(inputs.getFirst(), n.expressions());
            case PlanNode.Expand n -> new PlanNode.Expand(inputs.getFirst(), n.projections());
            case PlanNode.Aggregate n ->
                new PlanNode.Aggregate(inputs.getFirst(), n.step(), n.groupColumns(), n.calls());
            case PlanNode.Join n ->
                new PlanNode.Join(
                        n.kind(),
                        inputs.getFirst(),
                        inputs.getLast(),
                        n.leftKeys(),
                        n.rightKeys(),
                        n.nullSafe(),
                        n.residual(),
                        n.runtimeFilters());
            case PlanNode.Sort n -> new PlanNode.Sort(inputs.getFirst(), n.keys());
            case PlanNode.TopN n -> new PlanNode.TopN(inputs.getFirst(), n.keys(), n.count());
            case PlanNode.Limit n -> new PlanNode.Limit(inputs.getFirst(), n.offset(), n.count());
            case PlanNode.Window n ->
                new PlanNode.Window(inputs.getFirst(), n.partitionColumns(), n.order(), n.calls());
            case PlanNode.UnionAll _ -> new PlanNode.UnionAll(inputs);
            case PlanNode.TableFunction n ->
                new PlanNode.TableFunction(
                        inputs.getFirst(), n.function(), n.arguments(), n.functionTypes(), n.outer());
            case PlanNode.TableWrite n ->
                new PlanNode.TableWrite(
                        inputs.getFirst(),
                        n.table(),
                        n.stagingPath(),
                        n.staticPartition(),
                        n.dynamicColumns(),
                        n.bucketed(),
                        n.summarized(),
                        n.partitionFormats());
        };
    }
}
