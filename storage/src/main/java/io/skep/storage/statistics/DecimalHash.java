package io.skep.storage.statistics;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.hive.common.util.Murmur3;

/** Hashes decimals as doubles, as Hive's sketch does. */
final class DecimalHash {
    /** Longs up to this value convert to doubles without rounding. The same holds for powers of ten up to the 22nd. */
    private static final long EXACT = 1L << 53;

    private static final int EXACT_SCALE = 22;

    private final int scale;
    private final double divisor;

    DecimalHash(int scale) {
        this.scale = scale;
        this.divisor = scale <= EXACT_SCALE ? Double.parseDouble("1e" + scale) : 0;
    }

    long of(long unscaled) {
        // The quotient of two exact doubles is rounded once. Therefore it is the double nearest to the decimal.
        double value = scale <= EXACT_SCALE && unscaled < EXACT && unscaled > -EXACT
                ? unscaled / divisor
                : BigDecimal.valueOf(unscaled, scale).doubleValue();
        return Murmur3.hash64(Double.doubleToLongBits(value));
    }

    long of(BigInteger unscaled) {
        return Murmur3.hash64(Double.doubleToLongBits(new BigDecimal(unscaled, scale).doubleValue()));
    }
}
