package io.skep.storage.statistics;

import io.skep.common.vector.Datum;
import java.util.Comparator;
import java.util.Optional;

/**
 * Statistics of the values in some rows of a column. Fields that do not apply to the column's type are zero or absent.
 *
 * @param rows the number of rows, including nulls
 * @param low the smallest value, absent when all rows are null
 * @param totalLength text length in characters, binary length in bytes
 * @param distinct absent when there are no rows
 * @param histogram absent when there are no values
 */
public record ColumnSummary(
        long rows,
        long nulls,
        Optional<Datum> low,
        Optional<Datum> high,
        long totalLength,
        long maxLength,
        long trues,
        long falses,
        Optional<DistinctSketch> distinct,
        Optional<Histogram> histogram) {

    /** Returns the summary of the rows of both. */
    public ColumnSummary merge(ColumnSummary other) {
        return new ColumnSummary(
                rows + other.rows,
                nulls + other.nulls,
                bound(low, other.low, BOUNDS),
                bound(high, other.high, BOUNDS.reversed()),
                totalLength + other.totalLength,
                Math.max(maxLength, other.maxLength),
                trues + other.trues,
                falses + other.falses,
                distinct.isEmpty() || other.distinct.isEmpty()
                        ? distinct.or(other::distinct)
                        : distinct.get().merge(other.distinct.get()),
                histogram.isEmpty() || other.histogram.isEmpty()
                        ? histogram.or(other::histogram)
                        : histogram.map(mine -> mine.merge(other.histogram.get())));
    }

    private static Optional<Datum> bound(Optional<Datum> left, Optional<Datum> right, Comparator<Datum> first) {
        return left.isEmpty() || right.isEmpty()
                ? left.or(() -> right)
                : first.compare(left.get(), right.get()) <= 0 ? left : right;
    }

    private static final Comparator<Datum> BOUNDS = (left, right) -> switch (left) {
        case Datum.OfLong value -> Long.compare(value.value(), ((Datum.OfLong) right).value());
        case Datum.OfDouble value -> Double.compare(value.value(), ((Datum.OfDouble) right).value());
        case Datum.OfDecimal value -> value.unscaled().compareTo(((Datum.OfDecimal) right).unscaled());
        case Datum.OfTimestamp value -> {
            Datum.OfTimestamp other = (Datum.OfTimestamp) right;
            int order = Long.compare(value.seconds(), other.seconds());
            yield order == 0 ? Integer.compare(value.nanos(), other.nanos()) : order;
        }
        default -> throw new IllegalArgumentException("not a bound of a column: " + left);
    };
}
