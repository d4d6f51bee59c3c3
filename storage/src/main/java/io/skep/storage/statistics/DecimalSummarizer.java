package io.skep.storage.statistics;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Summarizes decimals of more than 18 digits. Values that fit in a long are hashed without creating objects. */
final class DecimalSummarizer extends ColumnSummarizer {
    private final DecimalHash hash;
    private final DistinctCounter distinct = new DistinctCounter();
    private boolean any;
    private long lowHigh;
    private long lowLow;
    private long highHigh;
    private long highLow;

    DecimalSummarizer(DecimalType type) {
        super(type);
        this.hash = new DecimalHash(type.scale());
    }

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        Decimal128Vector vector = (Decimal128Vector) flat;
        long[] highs = vector.high();
        long[] lows = vector.low();
        int length = flat.length();
        for (int row = 0; row < length; row++) {
            if (!isSkipped(nulls, counts, row)) {
                add(highs[row], lows[row]);
            }
        }
    }

    private void add(long high, long low) {
        if (!any || isLess(high, low, lowHigh, lowLow)) {
            lowHigh = high;
            lowLow = low;
        }
        if (!any || isLess(highHigh, highLow, high, low)) {
            highHigh = high;
            highLow = low;
        }
        any = true;
        distinct.add(high == low >> 63 ? hash.of(low) : hash.of(Decimal128Vector.toBigInteger(high, low)));
    }

    private static boolean isLess(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) < 0 : high < otherHigh;
    }

    private Optional<Datum> bound(long high, long low) {
        return any ? Optional.of(new Datum.OfDecimal(Decimal128Vector.toBigInteger(high, low))) : Optional.empty();
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                bound(lowHigh, lowLow),
                bound(highHigh, highLow),
                0,
                0,
                0,
                0,
                rows() == 0 ? Optional.empty() : Optional.of(distinct.sketch()),
                histogram());
    }

    @Override
    public long retainedBytes() {
        return 96 + distinct.retainedBytes() + sampleBytes();
    }
}
