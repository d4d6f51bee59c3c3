package io.skep.engine.function.scalar;

import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;

/** Compares values of kind TIMESTAMP. */
record TimestampComparison(Comparison comparison) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        TimestampVector left = (TimestampVector) arguments[0];
        TimestampVector right = (TimestampVector) arguments[1];
        long[] truths = new long[rows];
        for (int i = 0; i < rows; i++) {
            int order = Long.compare(left.seconds()[i], right.seconds()[i]);
            if (order == 0) {
                order = Integer.compare(left.nanos()[i], right.nanos()[i]);
            }
            truths[i] = comparison.holds(order) ? 1 : 0;
        }
        return Comparison.result(truths, left, right);
    }
}
