package io.skep.ql.analyze;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Rewrites keys of ORDER BY and its like to expressions over the columns of SELECT DISTINCT. */
final class DistinctKeys extends RexShuttle {
    private final RexBuilder rex;
    private final List<RexNode> selected;
    private boolean missing;

    /** @param selected the values of the columns, over the rows before DISTINCT */
    DistinctKeys(RexBuilder rex, List<RexNode> selected) {
        this.rex = rex;
        this.selected = selected;
    }

    /** Returns the key over the distinct rows. Empty if it needs a column that is not selected. */
    Optional<RexNode> overSelected(RexNode key) {
        missing = false;
        RexNode rewritten = replaced(key).orElseGet(() -> key.accept(this));
        return missing ? Optional.empty() : Optional.of(rewritten);
    }

    private Optional<RexNode> replaced(RexNode value) {
        int column = selected.indexOf(value);
        return column < 0 ? Optional.empty() : Optional.of(rex.makeInputRef(value.getType(), column));
    }

    @Override
    public RexNode visitInputRef(RexInputRef column) {
        return replaced(column).orElseGet(() -> absent(column));
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess field) {
        return replaced(field).orElseGet(() -> super.visitFieldAccess(field));
    }

    @Override
    public RexNode visitOver(RexOver over) {
        return replaced(over).orElseGet(() -> absent(over));
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
        return replaced(query).orElseGet(() -> absent(query));
    }

    @Override
    public RexNode visitCall(RexCall call) {
        return replaced(call).orElseGet(() -> super.visitCall(call));
    }

    private RexNode absent(RexNode value) {
        missing = true;
        return value;
    }
}
