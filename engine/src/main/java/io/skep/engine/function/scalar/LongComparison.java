package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** Compares values of kind LONG, with one loop per operator. */
record LongComparison(Comparison comparison) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] left = ((LongVector) arguments[0]).values();
        long[] right = ((LongVector) arguments[1]).values();
        long[] truths = new long[rows];
        switch (comparison) {
            case EQUAL -> equal(left, right, truths);
            case NOT_EQUAL -> notEqual(left, right, truths);
            case LESS -> less(left, right, truths);
            case LESS_OR_EQUAL -> lessOrEqual(left, right, truths);
            case GREATER -> less(right, left, truths);
            case GREATER_OR_EQUAL -> lessOrEqual(right, left, truths);
        }
        return Comparison.result(truths, arguments[0], arguments[1]);
    }

    private static void equal(long[] left, long[] right, long[] truths) {
        for (int i = 0; i < truths.length; i++) {
            truths[i] = left[i] == right[i] ? 1 : 0;
        }
    }

    private static void notEqual(long[] left, long[] right, long[] truths) {
        for (int i = 0; i < truths.length; i++) {
            truths[i] = left[i] != right[i] ? 1 : 0;
        }
    }

    private static void less(long[] left, long[] right, long[] truths) {
        for (int i = 0; i < truths.length; i++) {
            truths[i] = left[i] < right[i] ? 1 : 0;
        }
    }

    private static void lessOrEqual(long[] left, long[] right, long[] truths) {
        for (int i = 0; i < truths.length; i++) {
            truths[i] = left[i] <= right[i] ? 1 : 0;
        }
    }
}
