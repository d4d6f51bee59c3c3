package io.skep.engine.function.scalar;

import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The unscaled values of a decimal argument, in either of the two layouts. */
record DecimalOperand(long[] low, long @Nullable [] high) {
    static DecimalOperand of(Vector vector) {
        return switch (vector) {
            case LongVector v -> new DecimalOperand(v.values(), null);
            case Decimal128Vector v -> new DecimalOperand(v.low(), v.high());
            default -> throw new IllegalStateException("decimals in " + vector.getClass());
        };
    }

    boolean isLong(int row) {
        return high == null || high[row] == low[row] >> 63;
    }

    BigInteger value(int row) {
        return isLong(row) || high == null
                ? BigInteger.valueOf(low[row])
                : Decimal128Vector.toBigInteger(high[row], low[row]);
    }
}
