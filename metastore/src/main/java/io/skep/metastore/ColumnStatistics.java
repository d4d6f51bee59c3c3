package io.skep.metastore;

import io.skep.common.vector.Datum;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.util.Optional;

/**
 * Statistics of one column.
 *
 * @param distinctValues estimated number of distinct values, or -1
 * @param averageLength characters of text, bytes of binary, or -1
 * @param trueCount number of true rows, for booleans, or -1
 * @param sketch the sketch of the distinct values, if the metastore has one
 * @param histogram the histogram of the values, if the metastore has one
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
        Optional<DistinctSketch> sketch,
        Optional<Histogram> histogram) {

    private static final long UNKNOWN = -1;

    /** Creates statistics that know only these counts. */
    public static ColumnStatistics of(String column, long nullCount, long distinctValues) {
        return new ColumnStatistics(
                column,
                nullCount,
                distinctValues,
                Optional.empty(),
                Optional.empty(),
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                Optional.empty(),
                Optional.empty());
    }

    public ColumnStatistics withBounds(Datum least, Datum greatest) {
        return withBounds(Optional.of(least), Optional.of(greatest));
    }

    public ColumnStatistics withBounds(Optional<Datum> least, Optional<Datum> greatest) {
        return new ColumnStatistics(
                column,
                nullCount,
                distinctValues,
                least,
                greatest,
                averageLength,
                maxLength,
                trueCount,
                falseCount,
                sketch,
                histogram);
    }

    public ColumnStatistics withLengths(double average, long max) {
        return new ColumnStatistics(
                column, nullCount, distinctValues, low, high, average, max, trueCount, falseCount, sketch, histogram);
    }

    /** Returns the same statistics with the numbers of rows that are true and false. */
    public ColumnStatistics withBooleans(long trues, long falses) {
        return new ColumnStatistics(
                column,
                nullCount,
                distinctValues,
                low,
                high,
                averageLength,
                maxLength,
                trues,
                falses,
                sketch,
                histogram);
    }

    /** Returns the same statistics with a sketch, whose estimate replaces the number of distinct values. */
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
                other,
                histogram);
    }

    public ColumnStatistics withHistogram(Optional<Histogram> other) {
        return new ColumnStatistics(
                column,
                nullCount,
                distinctValues,
                low,
                high,
                averageLength,
                maxLength,
                trueCount,
                falseCount,
                sketch,
                other);
    }

    /** Whether all rows are null, for a type that has bounds. */
    boolean isOfNullsOnly() {
        return low.isEmpty() && high.isEmpty() && maxLength < 0 && trueCount < 0 && distinctValues <= 1;
    }

    /** Whether there are neither values nor nulls. */
    boolean isOfNoRows() {
        return nullCount == 0 && distinctValues == 0;
    }
}
