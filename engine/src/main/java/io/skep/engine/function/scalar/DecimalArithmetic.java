package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Arithmetic on decimals: exact, then rounded half up to the result's scale. The result is null if it has too many
 * digits or the divisor is zero. Values of at most 18 digits are computed in one long if the result has at most 18
 * digits, and in 128 bits if the result fits. All others use arbitrary precision.
 */
final class DecimalArithmetic implements ScalarFunction {
    private final Arithmetic operation;
    private final DecimalType type;
    private final int leftScale;
    private final int rightScale;
    private final boolean inOneLong;
    private final boolean in128Bits;

    DecimalArithmetic(Arithmetic operation, DecimalType left, DecimalType right, DecimalType type) {
        this.operation = operation;
        this.type = type;
        this.leftScale = left.scale();
        this.rightScale = right.scale();
        boolean exact = switch (operation) {
            case ADD, SUBTRACT -> type.scale() == Math.max(leftScale, rightScale);
            case MULTIPLY -> type.scale() == leftScale + rightScale;
            case DIVIDE, REMAINDER, POSITIVE_REMAINDER -> false;
        };
        boolean shortArguments = left.isShort() && right.isShort();
        this.inOneLong = exact && shortArguments && type.isShort();
        this.in128Bits = exact && type.scale() - Math.min(leftScale, rightScale) <= 18;
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        DecimalResult result =
                new DecimalResult(type, rows, NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows));
        if (inOneLong) {
            inOneLong(((LongVector) arguments[0]).values(), ((LongVector) arguments[1]).values(), result.low());
            return result.vector();
        }
        DecimalOperand left = DecimalOperand.of(arguments[0]);
        DecimalOperand right = DecimalOperand.of(arguments[1]);
        if (in128Bits && operation == Arithmetic.MULTIPLY) {
            multiply(left, right, result, rows);
        } else if (in128Bits) {
            add(left, right, result, rows);
        } else {
            for (int i = 0; i < rows; i++) {
                if (!result.isNull(i)) {
                    slow(left, right, result, i);
                }
            }
        }
        return result.vector();
    }

    private void inOneLong(long[] left, long[] right, long[] results) {
        if (operation == Arithmetic.MULTIPLY) {
            for (int i = 0; i < results.length; i++) {
                results[i] = left[i] * right[i];
            }
            return;
        }
        long leftFactor = Int128.powerOfTen(type.scale() - leftScale);
        long rightFactor = Int128.powerOfTen(type.scale() - rightScale);
        long signed = operation == Arithmetic.SUBTRACT ? -rightFactor : rightFactor;
        for (int i = 0; i < results.length; i++) {
            results[i] = left[i] * leftFactor + right[i] * signed;
        }
    }

    private void multiply(DecimalOperand left, DecimalOperand right, DecimalResult result, int rows) {
        for (int i = 0; i < rows; i++) {
            if (left.isLong(i) && right.isLong(i)) {
                long a = left.low()[i];
                long b = right.low()[i];
                result.set(i, Math.multiplyHigh(a, b), a * b);
            } else if (!result.isNull(i)) {
                slow(left, right, result, i);
            }
        }
    }

    private void add(DecimalOperand left, DecimalOperand right, DecimalResult result, int rows) {
        long leftFactor = Int128.powerOfTen(type.scale() - leftScale);
        long rightFactor = Int128.powerOfTen(type.scale() - rightScale);
        if (operation == Arithmetic.SUBTRACT) {
            rightFactor = -rightFactor;
        }
        for (int i = 0; i < rows; i++) {
            if (left.isLong(i) && right.isLong(i)) {
                long a = left.low()[i];
                long b = right.low()[i];
                long aLow = a * leftFactor;
                long bLow = b * rightFactor;
                long low = aLow + bLow;
                long high = Math.multiplyHigh(a, leftFactor)
                        + Math.multiplyHigh(b, rightFactor)
                        + Int128.carry(aLow, bLow, low);
                result.set(i, high, low);
            } else if (!result.isNull(i)) {
                slow(left, right, result, i);
            }
        }
    }

    private void slow(DecimalOperand left, DecimalOperand right, DecimalResult result, int row) {
        BigInteger a = left.value(row);
        BigInteger b = right.value(row);
        if (operation.compareTo(Arithmetic.DIVIDE) >= 0 && b.signum() == 0) {
            result.setNull(row);
            return;
        }
        int scale = Math.max(leftScale, rightScale);
        switch (operation) {
            case MULTIPLY -> product(a, b, result, row);
            case DIVIDE -> result.set(row, quotient(a, b));
            default -> {
                BigInteger exact = exact(Int128.rescale(a, leftScale, scale), Int128.rescale(b, rightScale, scale));
                result.set(row, Int128.rescale(exact, scale, type.scale()));
            }
        }
    }

    /**
     * Hive removes trailing zeros from the exact product and keeps at most 38 digits after the decimal point. Then it
     * rounds to the result's scale. A product of more than 38 digits is null even if it would fit after rounding.
     */
    private void product(BigInteger a, BigInteger b, DecimalResult result, int row) {
        BigDecimal product = trimmed(a.multiply(b), leftScale + rightScale);
        int scale = Math.min(product.scale(), DecimalType.MAX_PRECISION);
        BigInteger digits = Int128.rescale(product.unscaledValue(), product.scale(), scale);
        if (Int128.fits(digits, DecimalType.MAX_PRECISION)) {
            result.set(row, Int128.rescale(digits, scale, type.scale()));
        } else {
            result.setNull(row);
        }
    }

    private static BigDecimal trimmed(BigInteger unscaled, int scale) {
        BigDecimal value = new BigDecimal(unscaled, scale).stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    private BigInteger exact(BigInteger a, BigInteger b) {
        return switch (operation) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case REMAINDER -> a.remainder(b);
            default -> a.remainder(b).add(b).remainder(b);
        };
    }

    /**
     * Hive keeps a quotient of at most 38 digits, up to 38 of them after the decimal point, before it rounds to the
     * result's scale. Rounding in two steps can differ in the last digit from rounding once.
     */
    private BigInteger quotient(BigInteger a, BigInteger b) {
        int shift = DecimalType.MAX_PRECISION + rightScale - leftScale;
        BigInteger digits = Int128.divideRounded(a.multiply(Int128.bigPowerOfTen(shift)), b);
        int scale = DecimalType.MAX_PRECISION;
        int whole = wholeDigits(digits);
        if (whole > 0) {
            digits = Int128.rescale(digits, scale, Math.max(0, scale - whole));
            scale = Math.max(0, scale - whole);
        }
        return Int128.rescale(digits, scale, type.scale());
    }

    /** Returns the number of digits before the decimal point of a value of scale 38. */
    private static int wholeDigits(BigInteger digits) {
        BigInteger magnitude = digits.abs();
        int whole = 0;
        while (magnitude.compareTo(Int128.bigPowerOfTen(DecimalType.MAX_PRECISION + whole)) >= 0) {
            whole++;
        }
        return whole;
    }
}
