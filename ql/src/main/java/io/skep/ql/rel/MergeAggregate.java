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
 * The last step of an aggregation that starts in a {@link PartialAggregate} below. The argument of each call is a
 * column of states.
 */
public final class MergeAggregate extends Aggregate {
    /** @param calls calls of {@link HiveAggFunction}s whose signatures contain the types of the raw arguments */
    public MergeAggregate(
            RelNode input, ImmutableBitSet groups, List<ImmutableBitSet> sets, List<AggregateCall> calls) {
        this(input.getCluster(), input.getCluster().traitSet(), input, groups, sets, calls);
    }

    private MergeAggregate(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            ImmutableBitSet groups,
            @Nullable List<ImmutableBitSet> sets,
            List<AggregateCall> calls) {
        super(cluster, traits, List.of(), input, groups, sets, calls);
    }

    @Override
    public Aggregate copy(
            RelTraitSet traits,
            RelNode input,
            ImmutableBitSet groups,
            @Nullable List<ImmutableBitSet> sets,
            List<AggregateCall> calls) {
        return new MergeAggregate(getCluster(), traits, input, groups, sets, calls);
    }
}
