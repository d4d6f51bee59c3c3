package io.skep.ql.rel;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * Applies a table function to each input row (LATERAL VIEW). The output is the input's columns, then the function's.
 * With {@code outer}, a row for which the function returns nothing is returned once, with nulls.
 */
public final class TableFunctionApply extends SingleRel {
    private static final double ROWS_PER_ROW = 3;

    private final String function;
    private final List<RexNode> arguments;
    private final boolean outer;
    private final List<RelDataTypeField> functionColumns;

    /** @param functionColumns names and types of the function's columns; their indexes are ignored */
    public TableFunctionApply(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            String function,
            List<RexNode> arguments,
            boolean outer,
            List<RelDataTypeField> functionColumns) {
        super(cluster, traits, input);
        this.function = function;
        this.arguments = List.copyOf(arguments);
        this.outer = outer;
        this.functionColumns = List.copyOf(functionColumns);
    }

    public String function() {
        return function;
    }

    /** Returns the arguments, over the input's columns. */
    public List<RexNode> arguments() {
        return arguments;
    }

    public boolean outer() {
        return outer;
    }

    public List<RelDataTypeField> functionColumns() {
        return functionColumns;
    }

    @Override
    protected RelDataType deriveRowType() {
        RelDataTypeFactory.Builder builder = getCluster().getTypeFactory().builder();
        builder.addAll(input.getRowType().getFieldList());
        functionColumns.forEach(column -> builder.add(column.getName(), column.getType()));
        return builder.uniquify().build();
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new TableFunctionApply(
                getCluster(), traits, inputs.getFirst(), function, arguments, outer, functionColumns);
    }

    /** Returns a copy with other arguments, over another input. */
    public TableFunctionApply copy(RelNode newInput, List<RexNode> newArguments) {
        return new TableFunctionApply(
                getCluster(), getTraitSet(), newInput, function, newArguments, outer, functionColumns);
    }

    @Override
    public RelNode accept(RexShuttle shuttle) {
        List<RexNode> changed = new ArrayList<>(arguments);
        shuttle.mutate(changed);
        return changed.equals(arguments) ? this : copy(input, changed);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery query) {
        return ROWS_PER_ROW * query.getRowCount(input);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("function", function)
                .item("arguments", arguments)
                .itemIf("outer", true, outer)
                .item("columns", functionColumns);
    }
}
