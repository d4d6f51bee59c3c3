package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.util.ImmutableIntList;

/**
 * Implements DISTRIBUTE BY, SORT BY and CLUSTER BY. Rows with equal hash columns go to one task (any task if there are
 * no hash columns), and each task's rows are sorted.
 */
public final class Redistribute extends SingleRel {
    private final ImmutableIntList hashColumns;
    private final RelCollation sort;

    /** @param sort the order within a task; empty for no order */
    public Redistribute(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, List<Integer> hashColumns, RelCollation sort) {
        super(cluster, traits, input);
        this.hashColumns = ImmutableIntList.copyOf(hashColumns);
        this.sort = sort;
    }

    public List<Integer> hashColumns() {
        return hashColumns;
    }

    public RelCollation sort() {
        return sort;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new Redistribute(getCluster(), traits, inputs.getFirst(), hashColumns, sort);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("hash", hashColumns)
                .itemIf("sort", sort, !sort.getFieldCollations().isEmpty());
    }
}
