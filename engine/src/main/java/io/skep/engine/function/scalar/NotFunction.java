package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** NOT. */
record NotFunction() implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        LongVector argument = (LongVector) arguments[0];
        long[] values = argument.values();
        long[] truths = new long[rows];
        for (int i = 0; i < rows; i++) {
            truths[i] = 1 - values[i];
        }
        return new LongVector(truths, argument.nulls(), rows);
    }
}
