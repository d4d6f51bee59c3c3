package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.Expression.Constant;

/** A literal. Returns the same vector for batches of the same length. */
final class ConstantEvaluator implements Evaluator {
    private final Vector value;
    private ConstantVector last;

    ConstantEvaluator(Constant constant) {
        this.value = constant.value().toVector(constant.type());
        this.last = new ConstantVector(value, 0);
    }

    @Override
    public Vector evaluate(Batch input) {
        if (last.length() != input.rowCount()) {
            last = new ConstantVector(value, input.rowCount());
        }
        return last;
    }
}
