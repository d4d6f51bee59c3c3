package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Arithmetic on integers of one width. It wraps around on overflow. A remainder by zero is null. */
record IntegerArithmetic(Arithmetic operation, PrimitiveType type) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] left = ((LongVector) arguments[0]).values();
        long[] right = ((LongVector) arguments[1]).values();
        long @Nullable [] nulls = NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows);
        long[] results = new long[rows];
        switch (operation) {
            case ADD -> add(left, right, results);
            case SUBTRACT -> subtract(left, right, results);
            case MULTIPLY -> multiply(left, right, results);
            case REMAINDER -> {
                nulls = withZeros(right, nulls, rows);
                remainder(left, right, results);
            }
            case POSITIVE_REMAINDER -> {
                nulls = withZeros(right, nulls, rows);
                positiveRemainder(left, right, results);
            }
            case DIVIDE -> throw new IllegalStateException("integers are divided as doubles");
        }
        wrap(type, results);
        return new LongVector(results, nulls, rows);
    }

    private static void add(long[] left, long[] right, long[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] + right[i];
        }
    }

    private static void subtract(long[] left, long[] right, long[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] - right[i];
        }
    }

    private static void multiply(long[] left, long[] right, long[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] * right[i];
        }
    }

    private static void remainder(long[] left, long[] right, long[] results) {
        for (int i = 0; i < results.length; i++) {
            results[i] = right[i] == 0 ? 0 : left[i] % right[i];
        }
    }

    private void positiveRemainder(long[] left, long[] right, long[] results) {
        boolean narrow = type == PrimitiveType.INT;
        for (int i = 0; i < results.length; i++) {
            if (right[i] != 0) {
                long shifted = left[i] % right[i] + right[i];
                results[i] = (narrow ? (int) shifted : shifted) % right[i];
            }
        }
    }

    /** Returns the null mask extended by the rows in which the divisor is zero. */
    static long @Nullable [] withZeros(long[] divisors, long @Nullable [] nulls, int rows) {
        NullMaskBuilder all = new NullMaskBuilder(nulls, rows);
        for (int i = 0; i < rows; i++) {
            if (divisors[i] == 0) {
                all.set(i);
            }
        }
        return all.mask();
    }

    /** Truncates values to the width of a type. */
    static void wrap(PrimitiveType type, long[] values) {
        switch (type) {
            case TINYINT -> {
                for (int i = 0; i < values.length; i++) {
                    values[i] = (byte) values[i];
                }
            }
            case SMALLINT -> {
                for (int i = 0; i < values.length; i++) {
                    values[i] = (short) values[i];
                }
            }
            case INT -> {
                for (int i = 0; i < values.length; i++) {
                    values[i] = (int) values[i];
                }
            }
            default -> {}
        }
    }
}
