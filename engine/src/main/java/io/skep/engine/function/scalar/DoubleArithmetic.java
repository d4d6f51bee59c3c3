package io.skep.engine.function.scalar;

import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Arithmetic on doubles, or on floats with results rounded to float. Division by zero returns null. */
record DoubleArithmetic(Arithmetic operation, boolean floats) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        double[] left = ((DoubleVector) arguments[0]).values();
        double[] right = ((DoubleVector) arguments[1]).values();
        long @Nullable [] nulls = NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows);
        double[] results = new double[rows];
        switch (operation) {
            case ADD -> add(left, right, results);
            case SUBTRACT -> subtract(left, right, results);
            case MULTIPLY -> multiply(left, right, results);
            case DIVIDE -> divide(left, right, results);
            case REMAINDER -> remainder(left, right, results);
            case POSITIVE_REMAINDER -> positiveRemainder(left, right, results);
        }
        if (operation.compareTo(Arithmetic.DIVIDE) >= 0) {
            nulls = withZeros(right, nulls, rows);
        }
        if (floats) {
            for (int i = 0; i < rows; i++) {
                results[i] = (float) results[i];
            }
        }
        return new DoubleVector(results, nulls, rows);
    }

    private static void add(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] + right[i];
        }
    }

    private static void subtract(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] - right[i];
        }
    }

    private static void multiply(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] * right[i];
        }
    }

    private static void divide(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] / right[i];
        }
    }

    private static void remainder(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] % right[i];
        }
    }

    private void positiveRemainder(double[] left, double[] right, double[] results) {
        for (int i = 0; i < results.length; i++) {
            double shifted = left[i] % right[i] + right[i];
            results[i] = (floats ? (float) shifted : shifted) % right[i];
        }
    }

    private static long @Nullable [] withZeros(double[] divisors, long @Nullable [] nulls, int rows) {
        NullMaskBuilder all = new NullMaskBuilder(nulls, rows);
        for (int i = 0; i < rows; i++) {
            if (divisors[i] == 0) {
                all.set(i);
            }
        }
        return all.mask();
    }
}
