package io.skep.storage.statistics;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.apache.hive.common.util.Murmur3;
import org.jspecify.annotations.Nullable;

/** Summarizes integers, dates and decimals of at most 18 digits. */
final class LongSummarizer extends ColumnSummarizer {
    private final @Nullable DecimalHash decimals;
    private final DistinctCounter distinct = new DistinctCounter();
    private long low = Long.MAX_VALUE;
    private long high = Long.MIN_VALUE;
    private boolean any;
    private long last;

    LongSummarizer(SqlType type, Optional<DecimalHash> decimals) {
        super(type);
        this.decimals = decimals.orElse(null);
    }

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        long[] values = ((LongVector) flat).values();
        int length = flat.length();
        for (int row = 0; row < length; row++) {
            if (isSkipped(nulls, counts, row)) {
                continue;
            }
            long value = values[row];
            // Runs of one value are frequent.
            if (value != last || !any) {
                any = true;
                last = value;
                low = Math.min(low, value);
                high = Math.max(high, value);
                distinct.add(decimals == null ? Murmur3.hash64(value) : decimals.of(value));
            }
        }
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                any ? Optional.of(new Datum.OfLong(low)) : Optional.empty(),
                any ? Optional.of(new Datum.OfLong(high)) : Optional.empty(),
                0,
                0,
                0,
                0,
                rows() == 0 ? Optional.empty() : Optional.of(distinct.sketch()),
                histogram());
    }

    @Override
    public long retainedBytes() {
        return 64 + distinct.retainedBytes() + sampleBytes();
    }
}
