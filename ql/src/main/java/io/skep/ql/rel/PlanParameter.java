package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * A constant, or a list of some, whose values a plan leaves open. It knows those of the statement that the plan is made for, so
 * that estimates can rest on them; no rewriting of algebra may.
 */
public final class PlanParameter extends RexDynamicParam {
    private final List<RexLiteral> assumed;
    private final boolean placed;

    PlanParameter(RelDataType type, int index, List<RexLiteral> assumed, boolean placed) {
        super(type, index);
        this.assumed = List.copyOf(assumed);
        this.placed = placed;
    }

    /** Values of one statement. */
    public List<RexLiteral> assumed() {
        return assumed;
    }

    /** Whether it stands where other values may take its place; otherwise it stands for the literal as it is written. */
    public boolean isPlaced() {
        return placed;
    }

    /** A condition with the values that are assumed: for estimates, which tell nobody. */
    public static RexNode assumed(RexNode condition, HiveRexBuilder rex) {
        if (!(condition instanceof RexCall call)
                || call.getOperands().stream().noneMatch(PlanParameter.class::isInstance)) {
            return condition;
        }
        if (HiveOperators.isInList(call) && call.getOperands().get(1) instanceof PlanParameter list) {
            return rex.in(call.getOperands().getFirst(), list.assumed);
        }
        List<RexNode> operands = call.getOperands().stream()
                .map(operand -> operand instanceof PlanParameter open ? open.assumed.getFirst() : operand)
                .toList();
        return call.clone(call.getType(), operands);
    }
}
