package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Builds a vector of decimals. Values with too many digits become null. */
final class DecimalResult {
    private final DecimalType type;
    private final int rows;
    private final long[] low;
    private final long[] high;
    private final NullMaskBuilder nulls;

    DecimalResult(DecimalType type, int rows, long @Nullable [] nulls) {
        this.type = type;
        this.rows = rows;
        this.low = new long[rows];
        this.high = type.isShort() ? new long[0] : new long[rows];
        this.nulls = new NullMaskBuilder(nulls, rows);
    }

    /** Returns the array of short values, for kernels whose results cannot have too many digits. */
    long[] low() {
        return low;
    }

    boolean isNull(int row) {
        return nulls.isNull(row);
    }

    void set(int row, BigInteger value) {
        if (Int128.fits(value, type.precision())) {
            put(row, Int128.high(value), value.longValue());
        } else {
            setNull(row);
        }
    }

    void set(int row, long valueHigh, long valueLow) {
        if (Int128.fits(valueHigh, valueLow, type.precision())) {
            put(row, valueHigh, valueLow);
        } else {
            setNull(row);
        }
    }

    private void put(int row, long valueHigh, long valueLow) {
        low[row] = valueLow;
        if (!type.isShort()) {
            high[row] = valueHigh;
        }
    }

    void setNull(int row) {
        nulls.set(row);
    }

    Vector vector() {
        return type.isShort()
                ? new LongVector(low, nulls.mask(), rows)
                : new Decimal128Vector(high, low, nulls.mask(), rows);
    }
}
