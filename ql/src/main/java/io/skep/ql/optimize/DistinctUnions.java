package io.skep.ql.optimize;

import io.skep.common.concurrent.Interruption;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Merges a chain of UNIONs into one. The grammar makes each UNION the distinct rows of a union of two inputs, the first
 * of which is the chain so far. If the final result is distinct, its inputs need not be. Without merging, thousands of
 * nested aggregations would be as many steps of a query.
 */
final class DistinctUnions extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
        Interruption.check();
        RelNode visited = super.visit(other);
        if (!(visited instanceof LogicalAggregate distinct)
                || !isDistinct(distinct)
                || !(distinct.getInput() instanceof LogicalUnion union)
                || !union.all) {
            return visited;
        }
        List<RelNode> inputs = new ArrayList<>();
        union.getInputs().forEach(input -> add(input, inputs));
        LogicalUnion merged = LogicalUnion.create(inputs, true);
        return merged.getRowType().equals(union.getRowType())
                ? distinct.copy(distinct.getTraitSet(), List.of(merged))
                : visited;
    }

    /** Adds the rows of an input. A distinct input is replaced by its own input. */
    private static void add(RelNode input, List<RelNode> inputs) {
        RelNode rows = input instanceof LogicalAggregate distinct && isDistinct(distinct) ? distinct.getInput() : input;
        if (rows instanceof LogicalUnion union && union.all) {
            inputs.addAll(union.getInputs());
        } else {
            inputs.add(rows);
        }
    }

    /** Whether the aggregate only removes duplicate rows. */
    private static boolean isDistinct(Aggregate aggregate) {
        int columns = aggregate.getInput().getRowType().getFieldCount();
        return aggregate.getAggCallList().isEmpty()
                && aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && aggregate.getGroupSet().equals(ImmutableBitSet.range(columns));
    }
}
