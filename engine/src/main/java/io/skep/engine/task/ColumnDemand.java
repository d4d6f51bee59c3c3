package io.skep.engine.task;

import io.skep.engine.operator.ColumnUse;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.BitSet;
import java.util.List;

/** Determines which columns of its input a node reads, so that joins below it need not copy the others. */
final class ColumnDemand {
    private ColumnDemand() {}

    static BitSet all(PlanNode node) {
        return first(node.outputTypes().size());
    }

    private static BitSet first(int count) {
        BitSet columns = new BitSet();
        columns.set(0, count);
        return columns;
    }

    static BitSet of(PlanNode.Project node) {
        return columns(node.expressions());
    }

    /** @param used the filter's output columns that are read */
    static BitSet of(PlanNode.Filter node, BitSet used) {
        BitSet columns = columns(List.of(node.predicate()));
        columns.or(used);
        return columns;
    }

    static BitSet of(PlanNode.Aggregate node) {
        BitSet columns = new BitSet();
        node.groupColumns().forEach(columns::set);
        for (AggregateCall call : node.calls()) {
            call.arguments().forEach(columns::set);
            call.filter().ifPresent(columns::set);
        }
        return columns;
    }

    /** Returns the columns needed of a join's left input if {@code used} columns of its output are read. */
    static BitSet left(PlanNode.Join node, BitSet used) {
        BitSet columns = demanded(node, used).get(0, node.left().outputTypes().size());
        node.leftKeys().forEach(columns::set);
        return columns;
    }

    static BitSet right(PlanNode.Join node, BitSet used) {
        int left = node.left().outputTypes().size();
        BitSet columns =
                demanded(node, used).get(left, left + node.right().outputTypes().size());
        node.rightKeys().forEach(columns::set);
        return columns;
    }

    private static BitSet demanded(PlanNode.Join node, BitSet used) {
        BitSet columns = columns(node.residual().stream().toList());
        columns.or(used);
        return columns;
    }

    private static BitSet columns(List<Expression> expressions) {
        BitSet columns = new BitSet();
        ColumnUse.columns(expressions).forEach(columns::set);
        return columns;
    }
}
