package io.skep.metastore;

import io.skep.common.vector.Datum;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Merges statistics of a column over several sets of rows, such as partitions, or existing and added rows. All results
 * except the number of distinct values, the average length and the histogram are exact. Distinct values come from the
 * sketches of the parts. When a part has no sketch, their number is estimated between the largest part's number and the
 * sum of all. Where ranges are known, the estimate depends on the overlap of the ranges of values. The average length
 * is the greatest of the parts, as in Hive.
 */
public final class ColumnStatisticsMerge {
    private static final long UNKNOWN = -1;

    private ColumnStatisticsMerge() {}

    /** @param parts statistics of one column, at least one */
    public static ColumnStatistics merge(List<ColumnStatistics> parts) {
        // Sorts the parts by their ranges, so that a gap between two parts is not counted as part of a range.
        List<ColumnStatistics> ordered = new ArrayList<>(parts);
        ordered.sort(Comparator.comparing(
                ColumnStatistics::low, (left, right) -> compareLow(left.orElse(null), right.orElse(null))));
        ColumnStatistics merged = ordered.getFirst();
        for (ColumnStatistics part : ordered.subList(1, ordered.size())) {
            merged = merge(merged, part);
        }
        return merged;
    }

    private static ColumnStatistics merge(ColumnStatistics left, ColumnStatistics right) {
        Optional<DistinctSketch> sketch = sketch(left, right);
        return new ColumnStatistics(
                left.column(),
                left.nullCount() + right.nullCount(),
                sketch.map(DistinctSketch::estimate).orElseGet(() -> distinctValues(left, right)),
                bound(left.low(), right.low(), (a, b) -> compare(a, b) <= 0 ? a : b),
                bound(left.high(), right.high(), (a, b) -> compare(a, b) >= 0 ? a : b),
                Math.max(left.averageLength(), right.averageLength()),
                Math.max(left.maxLength(), right.maxLength()),
                sum(left.trueCount(), right.trueCount()),
                sum(left.falseCount(), right.falseCount()),
                sketch,
                histogram(left, right));
    }

    /** A part without values needs no histogram. */
    private static Optional<Histogram> histogram(ColumnStatistics left, ColumnStatistics right) {
        if (left.isOfNullsOnly() || right.isOfNullsOnly()) {
            return left.isOfNullsOnly() ? right.histogram() : left.histogram();
        }
        return left.histogram().flatMap(mine -> right.histogram().map(mine::merge));
    }

    /** A part without rows needs no sketch. */
    private static Optional<DistinctSketch> sketch(ColumnStatistics left, ColumnStatistics right) {
        if (left.isOfNoRows()) {
            return right.sketch();
        }
        return right.isOfNoRows()
                ? left.sketch()
                : left.sketch().flatMap(mine -> right.sketch().flatMap(mine::merge));
    }

    private static long sum(long left, long right) {
        return left < 0 || right < 0 ? UNKNOWN : left + right;
    }

    /** A part without a bound contains only nulls. */
    private static Optional<Datum> bound(Optional<Datum> left, Optional<Datum> right, BinaryOperator<Datum> choice) {
        if (left.isEmpty() || right.isEmpty()) {
            return left.or(() -> right);
        }
        return Optional.of(choice.apply(left.get(), right.get()));
    }

    private static long distinctValues(ColumnStatistics left, ColumnStatistics right) {
        if (left.distinctValues() < 0 || right.distinctValues() < 0) {
            return UNKNOWN;
        }
        long greatest = Math.max(left.distinctValues(), right.distinctValues());
        long least = Math.min(left.distinctValues(), right.distinctValues());
        return greatest + Math.round(least * (1 - overlap(left, right)));
    }

    /** Returns the fraction of the shorter range that lies in the other range, or 1 when ranges are not known. */
    private static double overlap(ColumnStatistics left, ColumnStatistics right) {
        if (left.low().isEmpty()
                || left.high().isEmpty()
                || right.low().isEmpty()
                || right.high().isEmpty()) {
            return 1;
        }
        double leftLow = number(left.low().get());
        double leftHigh = number(left.high().get());
        double rightLow = number(right.low().get());
        double rightHigh = number(right.high().get());
        double common = Math.min(leftHigh, rightHigh) - Math.max(leftLow, rightLow);
        double shorter = Math.min(leftHigh - leftLow, rightHigh - rightLow);
        if (common < 0) {
            return 0;
        }
        return shorter <= 0 ? 1 : Math.min(1, common / shorter);
    }

    private static int compareLow(@Nullable Datum left, @Nullable Datum right) {
        if (left == null || right == null) {
            return Boolean.compare(left != null, right != null);
        }
        return compare(left, right);
    }

    private static int compare(Datum left, Datum right) {
        return switch (left) {
            case Datum.OfLong value -> Long.compare(value.value(), ((Datum.OfLong) right).value());
            case Datum.OfDecimal value -> value.unscaled().compareTo(((Datum.OfDecimal) right).unscaled());
            case Datum.OfTimestamp value -> {
                Datum.OfTimestamp other = (Datum.OfTimestamp) right;
                int order = Long.compare(value.seconds(), other.seconds());
                yield order == 0 ? Integer.compare(value.nanos(), other.nanos()) : order;
            }
            default -> Double.compare(number(left), number(right));
        };
    }

    private static double number(Datum datum) {
        return switch (datum) {
            case Datum.OfLong value -> value.value();
            case Datum.OfDouble value -> value.value();
            case Datum.OfDecimal value -> value.unscaled().doubleValue();
            case Datum.OfTimestamp value -> value.seconds() + value.nanos() / 1e9;
            default -> throw new IllegalArgumentException("not a bound of statistics: " + datum);
        };
    }
}
