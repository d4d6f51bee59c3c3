package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** The last step of an aggregation that a {@link PartialAggregate} below has begun: each call takes a column of its states. */
public final class MergeAggregate extends Aggregate {
    /** @param calls functions are {@link HiveAggFunction}s whose signatures tell the types of the raw arguments */
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
