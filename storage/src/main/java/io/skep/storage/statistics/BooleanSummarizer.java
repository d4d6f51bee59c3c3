package io.skep.storage.statistics;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Summarizes booleans. They are counted and not sketched. */
final class BooleanSummarizer extends ColumnSummarizer {
    private long trues;

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        long[] values = ((LongVector) flat).values();
        int length = flat.length();
        for (int row = 0; row < length; row++) {
            if (!isSkipped(nulls, counts, row)) {
                trues += counts == null ? values[row] : values[row] * counts[row];
            }
        }
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                trues,
                rows() - nulls() - trues,
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public long retainedBytes() {
        return 32;
    }
}
