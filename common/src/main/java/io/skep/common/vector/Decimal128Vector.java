package io.skep.common.vector;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of kind DECIMAL128: unscaled, two's complement, value = high * 2^64 + (unsigned) low. */
public final class Decimal128Vector implements Vector {
    private final long[] high;
    private final long[] low;
    private final long @Nullable [] nulls;
    private final int length;

    public Decimal128Vector(long[] high, long[] low, long @Nullable [] nulls, int length) {
        this.high = high;
        this.low = low;
        this.nulls = nulls;
        this.length = length;
    }

    public long[] high() {
        return high;
    }

    public long[] low() {
        return low;
    }

    /** Returns one unscaled value. It allocates, so it must not be used in inner loops. */
    public BigInteger unscaled(int row) {
        return toBigInteger(high[row], low[row]);
    }

    public static BigInteger toBigInteger(long high, long low) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >> 56 - 8 * i);
            bytes[8 + i] = (byte) (low >> 56 - 8 * i);
        }
        return new BigInteger(bytes);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public long @Nullable [] nulls() {
        return nulls;
    }

    @Override
    public Decimal128Vector select(int[] positions, int count) {
        long[] newHigh = new long[count];
        long[] newLow = new long[count];
        for (int i = 0; i < count; i++) {
            newHigh[i] = high[positions[i]];
            newLow[i] = low[positions[i]];
        }
        return new Decimal128Vector(newHigh, newLow, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public Decimal128Vector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        return new Decimal128Vector(
                Arrays.copyOfRange(high, from, from + count),
                Arrays.copyOfRange(low, from, from + count),
                NullMask.slice(nulls, from, count),
                count);
    }

    @Override
    public Decimal128Vector flatten() {
        return this;
    }

    @Override
    public long retainedBytes() {
        return 64 + 8L * high.length + 8L * low.length + NullMask.bytes(nulls);
    }
}
