package io.skep.ql.rel;

import io.skep.metastore.Table;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * Separates a table's row filter and column masks, which are below, from the query's own expressions. It passes its
 * rows on. Rules do not know this operator, so nothing is moved or merged across it, and no predicate of its input is
 * known above it. Only conditions that cannot tell what they have seen may pass.
 */
public final class PolicyBarrier extends SingleRel {
    private final Table table;

    /** @param table the table or view whose columns are the input's */
    public PolicyBarrier(RelNode input, Table table) {
        super(input.getCluster(), input.getCluster().traitSetOf(Convention.NONE), input);
        this.table = table;
    }

    public Table table() {
        return table;
    }

    @Override
    public PolicyBarrier copy(RelTraitSet traits, List<RelNode> inputs) {
        return over(inputs.getFirst());
    }

    /** Returns a barrier for the same table over another input. */
    public PolicyBarrier over(RelNode other) {
        return new PolicyBarrier(other, table);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("table", table.qualifiedName());
    }
}
