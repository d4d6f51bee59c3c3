package io.skep.ql.rel;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * A constant, or a list of constants, whose values a plan leaves open. It keeps the values of the statement that the
 * plan was made for. Estimates may use these values; rewrites of algebra must not.
 */
public final class PlanParameter extends RexDynamicParam {
    private final List<RexLiteral> assumedValues;
    private final boolean placed;

    PlanParameter(RelDataType type, int index, List<RexLiteral> assumed, boolean placed) {
        super(type, index);
        this.assumedValues = List.copyOf(assumed);
        this.placed = placed;
    }

    /** Returns the values of the statement that the plan was made for. */
    public List<RexLiteral> assumedValues() {
        return assumedValues;
    }

    /** Whether other values may replace it at its place. Otherwise it stands only for the literal as written. */
    public boolean isReplaceable() {
        return placed;
    }

    /**
     * Returns a condition with the assumed values in place of its parameters. Only estimates use it, and they do not
     * record that they read a value.
     */
    public static RexNode assumedValues(RexNode condition, HiveRexBuilder rex) {
        if (!(condition instanceof RexCall call)
                || call.getOperands().stream().noneMatch(PlanParameter.class::isInstance)) {
            return condition;
        }
        if (HiveOperators.isInList(call) && call.getOperands().get(1) instanceof PlanParameter list) {
            return rex.in(call.getOperands().getFirst(), list.assumedValues);
        }
        List<RexNode> operands = call.getOperands().stream()
                .map(operand -> operand instanceof PlanParameter open ? open.assumedValues.getFirst() : operand)
                .toList();
        return call.clone(call.getType(), operands);
    }
}
