package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import java.util.List;
import java.util.Optional;

/**
 * Recognizes plans that make each row of one scan into rows of the result by itself. Any part of the scan's splits then
 * gives a part of the result, without an exchange.
 */
public final class SingleScan {
    private SingleScan() {}

    /** Returns the plan as a single fragment. Empty for plans of any other shape, and for those that need files. */
    public static Optional<StageGraph> of(StageGraph graph) {
        return graph.resources().isEmpty()
                ? root(graph).filter(SingleScan::isRowByRow).map(node -> fragment(graph, node))
                : Optional.empty();
    }

    private static StageGraph fragment(StageGraph graph, PlanNode root) {
        Fragment only =
                new Fragment(graph.root().id(), root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        return new StageGraph(
                List.of(only), graph.columnNames(), graph.columnTypes(), List.of(), graph.estimatedRows());
    }

    /** Returns the root with the rows that it gathers from a fragment of scans replaced by that fragment. */
    private static Optional<PlanNode> root(StageGraph graph) {
        PlanNode root = graph.root().root();
        return switch (graph.fragments().size()) {
            case 1 -> Optional.of(root);
            case 2 -> Optional.of(inlined(root, graph.fragments().getFirst()));
            default -> Optional.empty();
        };
    }

    private static PlanNode inlined(PlanNode node, Fragment producer) {
        return node instanceof PlanNode.RemoteSource source
                        && source.mergeOrder().isEmpty()
                        && source.fragments().equals(List.of(producer.id()))
                        && producer.output() instanceof Fragment.Output.Gather
                ? producer.root()
                : node.mapInputs(input -> inlined(input, producer));
    }

    private static boolean isRowByRow(PlanNode node) {
        return switch (node) {
            case PlanNode.Filter filter -> isRowByRow(filter.input());
            case PlanNode.Project project -> isRowByRow(project.input());
            case PlanNode.Scan scan ->
                scan.runtimeFilters().isEmpty() && scan.splitFilters().isEmpty();
            default -> false;
        };
    }
}
