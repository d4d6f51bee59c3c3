package io.skep.common.type;

/** An exact number of {@code precision} digits (1 to 38), {@code scale} of them after the point (0 to precision). */
public record DecimalType(int precision, int scale) implements SqlType {
    /** The maximum number of digits for which every unscaled value fits in 64 bits. */
    public static final int MAX_SHORT_PRECISION = 18;

    public static final int MAX_PRECISION = 38;

    public DecimalType {
        if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
            throw new IllegalArgumentException("decimal(" + precision + "," + scale
                    + ") is not a type: precision is 1 to " + MAX_PRECISION + ", scale 0 to precision");
        }
    }

    public boolean isShort() {
        return precision <= MAX_SHORT_PRECISION;
    }

    @Override
    public String displayName() {
        return "decimal(" + precision + "," + scale + ")";
    }

    @Override
    public VectorKind vectorKind() {
        return isShort() ? VectorKind.LONG : VectorKind.DECIMAL128;
    }

    @Override
    public String toString() {
        return displayName();
    }
}
