package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/**
 * IS TRUE, IS NOT TRUE, IS FALSE, IS NOT FALSE: never null.
 *
 * @param truth the value to test for
 * @param negated whether the result is negated
 */
record TruthTest(boolean truth, boolean negated) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] values = ((LongVector) arguments[0]).values();
        long[] truths = new long[rows];
        long wanted = truth ? 1 : 0;
        for (int i = 0; i < rows; i++) {
            boolean is = !arguments[0].isNull(i) && values[i] == wanted;
            truths[i] = is != negated ? 1 : 0;
        }
        return new LongVector(truths, null, rows);
    }
}
