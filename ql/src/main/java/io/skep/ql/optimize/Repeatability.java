package io.skep.ql.optimize;

import io.skep.ql.rel.ScriptApply;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** Determines whether a query returns the same on each run. A script may not. */
public final class Repeatability {
    private Repeatability() {}

    public static boolean of(RelNode root) {
        Calls calls = new Calls();
        calls.look(root);
        return calls.repeatable;
    }

    private static final class Calls extends RexShuttle {
        private boolean repeatable = true;

        private void look(RelNode rel) {
            repeatable &= !(rel instanceof ScriptApply);
            rel.accept(this);
            rel.getInputs().forEach(this::look);
        }

        @Override
        public RexNode visitCall(RexCall call) {
            repeatable &= call.getOperator().isDeterministic();
            return super.visitCall(call);
        }
    }
}
