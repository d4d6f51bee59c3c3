package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Casts of decimals, and of integers to decimals. */
final class DecimalCasts {
    private DecimalCasts() {}

    /**
     * Casts to another precision and scale, rounded half up. The result is null if digits before the decimal point
     * would be lost.
     */
    record Rescale(DecimalType from, DecimalType to) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            DecimalOperand operand = DecimalOperand.of(arguments[0]);
            DecimalResult result = new DecimalResult(to, rows, arguments[0].nulls());
            int shift = to.scale() - from.scale();
            for (int i = 0; i < rows; i++) {
                if (operand.isLong(i)) {
                    rescale(operand.low()[i], shift, result, i);
                } else if (!result.isNull(i)) {
                    result.set(i, Int128.rescale(operand.value(i), from.scale(), to.scale()));
                }
            }
            return result.vector();
        }

        private static void rescale(long value, int shift, DecimalResult result, int row) {
            if (shift >= 0 && shift <= 18) {
                long factor = Int128.powerOfTen(shift);
                result.set(row, Math.multiplyHigh(value, factor), value * factor);
            } else if (shift < 0 && shift >= -18) {
                long rounded = divideRounded(value, Int128.powerOfTen(-shift));
                result.set(row, rounded >> 63, rounded);
            } else if (!result.isNull(row)) {
                BigInteger wide = BigInteger.valueOf(value);
                result.set(
                        row,
                        shift > 0
                                ? wide.multiply(Int128.bigPowerOfTen(shift))
                                : Int128.divideRounded(wide, Int128.bigPowerOfTen(-shift)));
            }
        }

        private static long divideRounded(long value, long divisor) {
            long quotient = value / divisor;
            long rest = Math.abs(value % divisor);
            return rest >= divisor - rest ? quotient + (value < 0 ? -1 : 1) : quotient;
        }
    }

    /** Casts to an integer, rounded towards zero. The result is null if the integer type is too small. */
    record ToInteger(DecimalType from, PrimitiveType to) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            DecimalOperand operand = DecimalOperand.of(arguments[0]);
            NullMaskBuilder nulls = new NullMaskBuilder(arguments[0].nulls(), rows);
            long[] results = new long[rows];
            for (int i = 0; i < rows; i++) {
                if (operand.isLong(i) && from.scale() <= 18) {
                    results[i] = operand.low()[i] / Int128.powerOfTen(from.scale());
                    if (cut(results[i]) != results[i]) {
                        nulls.set(i);
                    }
                } else if (!nulls.isNull(i)) {
                    BigInteger whole = operand.value(i).divide(Int128.bigPowerOfTen(from.scale()));
                    results[i] = whole.longValue();
                    if (whole.bitLength() > 63 || cut(results[i]) != results[i]) {
                        nulls.set(i);
                    }
                }
            }
            return new LongVector(results, nulls.mask(), rows);
        }

        private long cut(long value) {
            return switch (to) {
                case TINYINT -> (byte) value;
                case SMALLINT -> (short) value;
                case INT -> (int) value;
                default -> value;
            };
        }
    }

    /** Casts to the nearest double or float. */
    record ToReal(DecimalType from, boolean floats) implements ScalarFunction {
        private static final long EXACT_IN_DOUBLE = 1L << 53;
        private static final int EXACT_POWER = 18;

        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            DecimalOperand operand = DecimalOperand.of(arguments[0]);
            double[] results = new double[rows];
            for (int i = 0; i < rows; i++) {
                if (!arguments[0].isNull(i)) {
                    results[i] = real(operand, i);
                }
            }
            return new DoubleVector(results, arguments[0].nulls(), rows);
        }

        private double real(DecimalOperand operand, int row) {
            long low = operand.low()[row];
            boolean exact = operand.isLong(row)
                    && from.scale() <= EXACT_POWER
                    && low < EXACT_IN_DOUBLE
                    && low > -EXACT_IN_DOUBLE;
            if (exact && !floats) {
                return (double) low / Int128.powerOfTen(from.scale());
            }
            BigDecimal value = new BigDecimal(operand.value(row), from.scale());
            return floats ? value.floatValue() : value.doubleValue();
        }
    }
}
