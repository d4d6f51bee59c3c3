package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.scalar.Int128;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Exact sums of unscaled decimals by group: 128 bits and the number of times that these overflowed. A partial state
 * that has a count but no sum marks the group's sum as lost.
 */
final class DecimalSums {
    private long[] high = new long[0];
    private long[] low = new long[0];
    private long[] counts = new long[0];
    private int[] wraps = new int[0];
    private boolean[] lost = new boolean[0];

    void ensure(int groups) {
        if (high.length < groups) {
            int capacity = GroupFlags.capacity(high.length, groups);
            high = Arrays.copyOf(high, capacity);
            low = Arrays.copyOf(low, capacity);
            counts = Arrays.copyOf(counts, capacity);
            wraps = Arrays.copyOf(wraps, capacity);
            lost = Arrays.copyOf(lost, capacity);
        }
    }

    long[] counts() {
        return counts;
    }

    void add(int[] groupIds, Vector values, int rows) {
        switch (values) {
            case LongVector v -> addShort(groupIds, v, rows);
            case Decimal128Vector v -> addLong(groupIds, v, rows);
            default -> throw new IllegalStateException("decimals in " + values.getClass());
        }
    }

    private void addShort(int[] groupIds, LongVector vector, int rows) {
        long[] values = vector.values();
        long[] nulls = vector.nulls();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                int group = groupIds[i];
                long value = values[i];
                long before = low[group];
                long sum = before + value;
                low[group] = sum;
                high[group] += (value >> 63) + Int128.carry(before, value, sum);
                counts[group]++;
            }
        }
    }

    private void addLong(int[] groupIds, Decimal128Vector vector, int rows) {
        long[] nulls = vector.nulls();
        for (int i = 0; i < rows; i++) {
            if (nulls == null || (nulls[i >> 6] >>> i & 1) == 0) {
                addOne(groupIds[i], vector.high()[i], vector.low()[i]);
                counts[groupIds[i]]++;
            }
        }
    }

    private void addOne(int group, long valueHigh, long valueLow) {
        long before = low[group];
        long sum = before + valueLow;
        long beforeHigh = high[group];
        long sumHigh = beforeHigh + valueHigh + Int128.carry(before, valueLow, sum);
        low[group] = sum;
        high[group] = sumHigh;
        if (((beforeHigh ^ sumHigh) & (valueHigh ^ sumHigh)) < 0) {
            wraps[group] += beforeHigh < 0 ? -1 : 1;
        }
    }

    private void remove(int group, long valueHigh, long valueLow) {
        addOne(group, ~valueHigh + (valueLow == 0 ? 1 : 0), -valueLow);
        counts[group]--;
    }

    /** Removes values that were added before. */
    void removeAll(int group, Vector values, int rows) {
        for (int i = 0; i < rows; i++) {
            if (!values.isNull(i)) {
                switch (values) {
                    case LongVector v -> remove(group, v.values()[i] >> 63, v.values()[i]);
                    case Decimal128Vector v -> remove(group, v.high()[i], v.low()[i]);
                    default -> throw new IllegalStateException("decimals in " + values.getClass());
                }
            }
        }
    }

    void lose(int group) {
        lost[group] = true;
    }

    boolean isLost(int group) {
        return lost[group];
    }

    private boolean fits(int group, int precision) {
        return !lost[group] && wraps[group] == 0 && Int128.fits(high[group], low[group], precision);
    }

    BigInteger sum(int group) {
        BigInteger sum = Int128.toBigInteger(high[group], low[group]);
        return wraps[group] == 0
                ? sum
                : sum.add(BigInteger.valueOf(wraps[group]).shiftLeft(128));
    }

    /** Returns the sums as decimals. A sum is null if the group has no value or the sum has too many digits. */
    Vector vector(DecimalType type, int from, int count, boolean zeroWhenEmpty) {
        long @Nullable [] nulls = zeroWhenEmpty ? null : Groups.empty(counts, from, count);
        for (int i = 0; i < count; i++) {
            if (!fits(from + i, type.precision())) {
                nulls = nulls == null ? new long[NullMask.words(count)] : nulls;
                NullMask.set(nulls, i);
            }
        }
        long[] lows = Arrays.copyOfRange(low, from, from + count);
        return type.isShort()
                ? new LongVector(lows, nulls, count)
                : new Decimal128Vector(Arrays.copyOfRange(high, from, from + count), lows, nulls, count);
    }

    long bytes() {
        return 29L * high.length;
    }
}
