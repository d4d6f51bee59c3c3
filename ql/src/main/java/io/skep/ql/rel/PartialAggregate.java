package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The first step of an aggregation that a {@link MergeAggregate} further up completes. It returns the states of groups,
 * and each call's type is that of its state. A group may occur more than once.
 */
public final class PartialAggregate extends Aggregate {
    /** @param calls calls of {@link HiveAggFunction}s whose signatures contain the types of the raw arguments */
    public PartialAggregate(RelNode input, ImmutableBitSet groups, List<AggregateCall> calls) {
        this(input.getCluster(), input.getCluster().traitSet(), input, groups, calls);
    }

    private PartialAggregate(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            ImmutableBitSet groups,
            List<AggregateCall> calls) {
        super(cluster, traits, List.of(), input, groups, List.of(groups), calls);
    }

    @Override
    public Aggregate copy(
            RelTraitSet traits,
            RelNode input,
            ImmutableBitSet groups,
            @Nullable List<ImmutableBitSet> sets,
            List<AggregateCall> calls) {
        return new PartialAggregate(getCluster(), traits, input, groups, calls);
    }
}
