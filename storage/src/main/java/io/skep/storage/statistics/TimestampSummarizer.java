package io.skep.storage.statistics;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.apache.hive.common.util.Murmur3;
import org.jspecify.annotations.Nullable;

/** Summarizes timestamps. Hive's sketch uses them in whole seconds. */
final class TimestampSummarizer extends ColumnSummarizer {
    private final DistinctCounter distinct = new DistinctCounter();
    private boolean any;
    private long lowSeconds;
    private int lowNanos;
    private long highSeconds;
    private int highNanos;

    TimestampSummarizer(SqlType type) {
        super(type);
    }

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        TimestampVector vector = (TimestampVector) flat;
        long[] seconds = vector.seconds();
        int[] nanos = vector.nanos();
        int length = flat.length();
        for (int row = 0; row < length; row++) {
            if (!isSkipped(nulls, counts, row)) {
                bound(seconds[row], nanos[row]);
                distinct.add(Murmur3.hash64(seconds[row]));
            }
        }
    }

    private void bound(long seconds, int nanos) {
        if (!any || seconds < lowSeconds || seconds == lowSeconds && nanos < lowNanos) {
            lowSeconds = seconds;
            lowNanos = nanos;
        }
        if (!any || seconds > highSeconds || seconds == highSeconds && nanos > highNanos) {
            highSeconds = seconds;
            highNanos = nanos;
        }
        any = true;
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                any ? Optional.of(new Datum.OfTimestamp(lowSeconds, lowNanos)) : Optional.empty(),
                any ? Optional.of(new Datum.OfTimestamp(highSeconds, highNanos)) : Optional.empty(),
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
