package io.skep.metastore;

import io.skep.common.vector.Datum;
import io.skep.storage.statistics.DistinctSketch;
import java.util.Optional;

/**
 * Statistics of one column.
 *
 * @param distinctValues estimated number of distinct values, or -1
 * @param averageLength characters of text, bytes of binary, or -1
 * @param trueCount rows that are true, for booleans, or -1
 * @param sketch of the distinct values, where the metastore has one
 */
public record ColumnStatistics(
        String column,
        long nullCount,
        long distinctValues,
        Optional<Datum> low,
        Optional<Datum> high,
        double averageLength,
        long maxLength,
        long trueCount,
        long falseCount,
        Optional<DistinctSketch> sketch) {

    /** Without a sketch. */
    public ColumnStatistics(
            String column,
            long nullCount,
            long distinctValues,
            Optional<Datum> low,
            Optional<Datum> high,
            double averageLength,
            long maxLength,
            long trueCount,
            long falseCount) {
        this(
                column,
                nullCount,
                distinctValues,
                low,
                high,
                averageLength,
                maxLength,
                trueCount,
                falseCount,
                Optional.empty());
    }

    /** The same with a sketch, whose estimate takes the place of the number of distinct values. */
    public ColumnStatistics withSketch(Optional<DistinctSketch> other) {
        return new ColumnStatistics(
                column,
                nullCount,
                other.map(DistinctSketch::estimate).orElse(distinctValues),
                low,
                high,
                averageLength,
                maxLength,
                trueCount,
                falseCount,
                other);
    }

    /** Whether there were neither values nor nulls. */
    boolean isOfNoRows() {
        return nullCount == 0 && distinctValues == 0;
    }
}
