package io.skep.storage.text;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.VectorAppender;

/**
 * Decodes decimals of at most 18 digits in plain notation: an optional sign, digits, and an optional point with at most
 * as many digits after it as the scale. All other fields are decoded by Hive's class, which is several times slower.
 */
final class PlainDecimals implements FieldDecoder {
    private static final int MAX_BYTES = 20;

    private final int scale;
    /** A value that has reached this limit accepts no further digit. */
    private final long tenthOfLimit;

    private final FieldDecoder others;

    PlainDecimals(DecimalType type, FieldDecoder others) {
        if (!type.isShort()) {
            throw new IllegalArgumentException(type + " does not fit 64 bits");
        }
        this.scale = type.scale();
        this.tenthOfLimit = powerOfTen(type.precision() - 1);
        this.others = others;
    }

    private static long powerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }

    @Override
    public void decode(byte[] data, int from, int count, VectorAppender target) {
        int end = from + count;
        boolean negative = count > 0 && data[from] == '-';
        int at = negative ? from + 1 : from;
        int whole = digits(data, at, end);
        int fraction = whole < end && data[whole] == '.' ? digits(data, whole + 1, end) - whole - 1 : 0;
        int parsed = fraction > 0 ? whole + 1 + fraction : whole;
        if (count > MAX_BYTES || whole == at || parsed != end || fraction > scale) {
            others.decode(data, from, count, target);
            return;
        }
        long value = 0;
        for (int i = at; i < end; i++) {
            if (data[i] != '.') {
                if (value >= tenthOfLimit) {
                    others.decode(data, from, count, target);
                    return;
                }
                value = value * 10 + (data[i] - '0');
            }
        }
        for (int i = fraction; i < scale; i++) {
            if (value >= tenthOfLimit) {
                others.decode(data, from, count, target);
                return;
            }
            value *= 10;
        }
        target.appendLong(negative ? -value : value);
    }

    /** Returns the end of the digits that begin here. */
    private static int digits(byte[] data, int from, int end) {
        int at = from;
        while (at < end && data[at] >= '0' && data[at] <= '9') {
            at++;
        }
        return at;
    }
}
