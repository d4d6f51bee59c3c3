package io.skep.storage.statistics;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.apache.hive.common.util.Murmur3;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes floats and doubles. Bounds cover the finite values only, because metastore databases cannot store others.
 */
final class DoubleSummarizer extends ColumnSummarizer {
    private final DistinctCounter distinct = new DistinctCounter();
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;

    DoubleSummarizer(SqlType type) {
        super(type);
    }

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        double[] values = ((DoubleVector) flat).values();
        int length = flat.length();
        for (int row = 0; row < length; row++) {
            if (isSkipped(nulls, counts, row)) {
                continue;
            }
            double value = values[row];
            if (Double.isFinite(value)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
            distinct.add(Murmur3.hash64(Double.doubleToLongBits(value)));
        }
    }

    private static Optional<Datum> bound(double value) {
        return Double.isFinite(value) ? Optional.of(new Datum.OfDouble(value)) : Optional.empty();
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                bound(low),
                bound(high),
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
