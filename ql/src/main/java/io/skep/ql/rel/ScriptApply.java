package io.skep.ql.rel;

import io.skep.engine.plan.Script;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;

/** Passes all fields of its input to a script. The output is what the script prints. */
public final class ScriptApply extends SingleRel {
    private final Script script;
    private final RelDataType output;

    /** @param output the columns that the script prints */
    public ScriptApply(RelOptCluster cluster, RelTraitSet traits, RelNode input, Script script, RelDataType output) {
        super(cluster, traits, input);
        this.script = script;
        this.output = output;
    }

    public Script script() {
        return script;
    }

    @Override
    protected RelDataType deriveRowType() {
        return output;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new ScriptApply(getCluster(), traits, inputs.getFirst(), script, output);
    }

    /** A script may print any number of rows; most print about one for each. */
    @Override
    public double estimateRowCount(RelMetadataQuery query) {
        return query.getRowCount(input);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("command", script.text())
                .item("format", script.input().format())
                .item("columns", output.getFieldList())
                .item("read", script.output().format())
                .itemIf("files", script.files(), !script.files().isEmpty());
    }
}
