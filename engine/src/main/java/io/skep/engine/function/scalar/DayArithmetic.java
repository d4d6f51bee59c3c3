package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;

/** date_add and date_sub of a date and a number of days, and datediff of two dates. */
record DayArithmetic(int sign) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] left = ((LongVector) arguments[0]).values();
        long[] right = ((LongVector) arguments[1]).values();
        long[] results = new long[rows];
        for (int i = 0; i < rows; i++) {
            results[i] = (int) (left[i] + sign * right[i]);
        }
        return new LongVector(results, NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows), rows);
    }
}
