package io.skep.ql.optimize;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** Determines whether an expression's functions return the same results on each run. */
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
