package io.skep.ql.optimize;

import io.skep.ql.rel.PolicyBarrier;
import io.skep.ql.rel.ScriptApply;
import io.skep.ql.rel.TableFunctionApply;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexPermuteInputsShuttle;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.IntPair;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.MappingType;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Drops columns that no operator above needs, also below table functions and policies. Calcite finds the methods by
 * reflection, so that they and the class are public.
 */
public final class ColumnTrimmer extends RelFieldTrimmer {
    ColumnTrimmer(RelBuilder builder) {
        super(null, builder);
    }

    /** Keeps the function's own columns, and of its input those that are used above or by its arguments. */
    public TrimResult trimFields(
            TableFunctionApply apply, ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields) {
        int inputs = apply.getInput().getRowType().getFieldCount();
        ImmutableBitSet needed = fieldsUsed
                .intersect(ImmutableBitSet.range(inputs))
                .union(RelOptUtil.InputFinder.bits(apply.arguments(), null));
        TrimResult trimmed = trimChild(apply, apply.getInput(), needed, extraFields);
        RelNode input = trimmed.left;
        Mapping kept = trimmed.right;
        RexShuttle moved = new RexPermuteInputsShuttle(kept, input);
        List<RexNode> arguments = apply.arguments().stream()
                .map(argument -> argument.accept(moved))
                .toList();
        return result(
                apply.copy(input, arguments),
                withFunctionColumns(kept, apply.functionColumns().size()));
    }

    /** Keeps all columns of the script and of its input. */
    public TrimResult trimFields(ScriptApply apply, ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields) {
        RelNode input = apply.getInput();
        ImmutableBitSet all = ImmutableBitSet.range(input.getRowType().getFieldCount());
        TrimResult trimmed = trimChild(apply, input, all, extraFields);
        RelNode same = apply.copy(apply.getTraitSet(), List.of(trimmed.left));
        return result(same, Mappings.createIdentity(same.getRowType().getFieldCount()));
    }

    /**
     * Keeps the used columns. A barrier that is left with plain columns of a table, and with constants, hides nothing
     * and is dropped.
     */
    public TrimResult trimFields(PolicyBarrier barrier, ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields) {
        TrimResult trimmed = trimChild(barrier, barrier.getInput(), fieldsUsed, extraFields);
        return isStored(trimmed.left) ? trimmed : result(barrier.over(trimmed.left), trimmed.right);
    }

    private static boolean isStored(RelNode rel) {
        return rel instanceof TableScan
                || rel instanceof Project project
                        && project.getInput() instanceof TableScan
                        && project.getProjects().stream()
                                .allMatch(value -> value instanceof RexInputRef || value instanceof RexLiteral);
    }

    /** Returns the mapping of the output's columns: those of the input as mapped, then the function's. */
    private static Mapping withFunctionColumns(Mapping input, int functionColumns) {
        int before = input.getSourceCount();
        int after = input.getTargetCount();
        Mapping mapping =
                Mappings.create(MappingType.INVERSE_SURJECTION, before + functionColumns, after + functionColumns);
        for (IntPair pair : input) {
            mapping.set(pair.source, pair.target);
        }
        for (int i = 0; i < functionColumns; i++) {
            mapping.set(before + i, after + i);
        }
        return mapping;
    }
}
