package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** Casts between integers, floats and doubles. A cast to a narrower integer keeps the low bits, as in Java. */
final class NumberCasts {
    private NumberCasts() {}

    record Narrow(PrimitiveType to) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] values = java.util.Arrays.copyOf(((LongVector) arguments[0]).values(), rows);
            IntegerArithmetic.wrap(to, values);
            return new LongVector(values, arguments[0].nulls(), rows);
        }
    }

    record IntegerToBoolean() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] values = ((LongVector) arguments[0]).values();
            long[] truths = new long[rows];
            for (int i = 0; i < rows; i++) {
                truths[i] = values[i] != 0 ? 1 : 0;
            }
            return new LongVector(truths, arguments[0].nulls(), rows);
        }
    }

    record IntegerToReal(boolean floats) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] values = ((LongVector) arguments[0]).values();
            double[] results = new double[rows];
            if (floats) {
                for (int i = 0; i < rows; i++) {
                    results[i] = (float) values[i];
                }
            } else {
                for (int i = 0; i < rows; i++) {
                    results[i] = values[i];
                }
            }
            return new DoubleVector(results, arguments[0].nulls(), rows);
        }
    }

    record DoubleToFloat() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            double[] values = ((DoubleVector) arguments[0]).values();
            double[] results = new double[rows];
            for (int i = 0; i < rows; i++) {
                results[i] = (float) values[i];
            }
            return new DoubleVector(results, arguments[0].nulls(), rows);
        }
    }

    record RealToInteger(PrimitiveType to) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            double[] values = ((DoubleVector) arguments[0]).values();
            long[] results = new long[rows];
            if (to == PrimitiveType.BIGINT) {
                for (int i = 0; i < rows; i++) {
                    results[i] = (long) values[i];
                }
            } else {
                for (int i = 0; i < rows; i++) {
                    results[i] = (int) values[i];
                }
                IntegerArithmetic.wrap(to, results);
            }
            return new LongVector(results, arguments[0].nulls(), rows);
        }
    }
}
