package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Decimal128Vector;
import java.math.BigInteger;

/** Arithmetic on 128-bit integers, in two's complement in two longs, for decimals. */
public final class Int128 {
    private static final long[] POWERS = new long[19];
    private static final BigInteger[] BIG_POWERS = new BigInteger[120];
    private static final long[] POWER_HIGH = new long[39];
    private static final long[] POWER_LOW = new long[39];

    static {
        long power = 1;
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = power;
            power *= 10;
        }
        for (int i = 0; i < BIG_POWERS.length; i++) {
            BIG_POWERS[i] = BigInteger.TEN.pow(i);
        }
        for (int i = 0; i < POWER_HIGH.length; i++) {
            POWER_HIGH[i] = BIG_POWERS[i].shiftRight(64).longValue();
            POWER_LOW[i] = BIG_POWERS[i].longValue();
        }
    }

    private Int128() {}

    /** Returns 10 to the power of the exponent, which is from 0 to 18. */
    public static long powerOfTen(int exponent) {
        return POWERS[exponent];
    }

    /** Returns 10 to the power of the exponent, which is from 0 to 119. */
    public static BigInteger bigPowerOfTen(int exponent) {
        return BIG_POWERS[exponent];
    }

    /** Returns the carry of {@code a + b = sum}, where all three are unsigned. */
    public static long carry(long a, long b, long sum) {
        return (a & b | (a | b) & ~sum) >>> 63;
    }

    /** Whether the magnitude has at most {@code precision} (1 to 38) digits. */
    public static boolean fits(long high, long low, int precision) {
        long magnitudeHigh = high;
        long magnitudeLow = low;
        if (high < 0) {
            magnitudeLow = -low;
            magnitudeHigh = ~high + (low == 0 ? 1 : 0);
            if (magnitudeHigh < 0) {
                return false;
            }
        }
        return magnitudeHigh < POWER_HIGH[precision]
                || magnitudeHigh == POWER_HIGH[precision]
                        && Long.compareUnsigned(magnitudeLow, POWER_LOW[precision]) < 0;
    }

    public static boolean fits(BigInteger value, int precision) {
        return value.abs().compareTo(BIG_POWERS[precision]) < 0;
    }

    public static int compare(long leftHigh, long leftLow, long rightHigh, long rightLow) {
        return leftHigh != rightHigh ? Long.compare(leftHigh, rightHigh) : Long.compareUnsigned(leftLow, rightLow);
    }

    /** Returns the quotient, rounded half away from zero. */
    public static BigInteger divideRounded(BigInteger dividend, BigInteger divisor) {
        BigInteger[] parts = dividend.divideAndRemainder(divisor);
        boolean up = parts[1].abs().shiftLeft(1).compareTo(divisor.abs()) >= 0;
        return up ? parts[0].add(BigInteger.valueOf((long) dividend.signum() * divisor.signum())) : parts[0];
    }

    /** Converts the value to another scale. If digits are lost, it is rounded half away from zero. */
    public static BigInteger rescale(BigInteger unscaled, int from, int to) {
        return to >= from ? unscaled.multiply(BIG_POWERS[to - from]) : divideRounded(unscaled, BIG_POWERS[from - to]);
    }

    public static BigInteger toBigInteger(long high, long low) {
        return high == low >> 63 ? BigInteger.valueOf(low) : Decimal128Vector.toBigInteger(high, low);
    }

    public static long high(BigInteger value) {
        return value.shiftRight(64).longValue();
    }

    public static boolean isShort(int precision) {
        return precision <= DecimalType.MAX_SHORT_PRECISION;
    }
}
