package io.skep.engine.function.scalar;

import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;

/**
 * Compares floats and doubles. NaN equals itself and is the greatest value. Zeros are equal regardless of their sign.
 */
record DoubleComparison(Comparison comparison) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        double[] left = ((DoubleVector) arguments[0]).values();
        double[] right = ((DoubleVector) arguments[1]).values();
        long[] truths = new long[rows];
        switch (comparison) {
            case EQUAL -> equal(left, right, truths, 1);
            case NOT_EQUAL -> equal(left, right, truths, 0);
            case LESS -> less(left, right, truths, 1);
            case LESS_OR_EQUAL -> less(right, left, truths, 0);
            case GREATER -> less(right, left, truths, 1);
            case GREATER_OR_EQUAL -> less(left, right, truths, 0);
        }
        return Comparison.result(truths, arguments[0], arguments[1]);
    }

    private static void equal(double[] left, double[] right, long[] truths, long whenEqual) {
        for (int i = 0; i < truths.length; i++) {
            double a = left[i];
            double b = right[i];
            truths[i] = a == b || Double.isNaN(a) && Double.isNaN(b) ? whenEqual : 1 - whenEqual;
        }
    }

    private static void less(double[] left, double[] right, long[] truths, long whenLess) {
        for (int i = 0; i < truths.length; i++) {
            double a = left[i];
            double b = right[i];
            truths[i] = a < b || !Double.isNaN(a) && Double.isNaN(b) ? whenLess : 1 - whenLess;
        }
    }
}
