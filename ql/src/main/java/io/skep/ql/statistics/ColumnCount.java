package io.skep.ql.statistics;

import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.storage.statistics.ColumnSummarizer;
import io.skep.storage.statistics.ColumnSummary;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The aggregates, as text, that compute one column's statistics, and the conversion of their values to statistics. The
 * number of distinct values is estimated with the sketch that Hive uses, so that both give the same estimates.
 */
public record ColumnCount(FieldSchema column) {
    /** Whether columns of a type have statistics. */
    public static boolean supports(SqlType type) {
        return ColumnSummarizer.supports(type);
    }

    private static boolean isRanged(SqlType type) {
        return !isText(type) && type != PrimitiveType.BOOLEAN && type != PrimitiveType.BINARY;
    }

    private static boolean isText(SqlType type) {
        return type == PrimitiveType.STRING || type instanceof CharType || type instanceof VarcharType;
    }

    /** @param sampled the histogram samples one row in this number, a power of two; empty for no histogram */
    public List<String> aggregates(OptionalLong sampled) {
        if (sampled.isEmpty() || !Histogram.supports(column.type())) {
            return aggregates();
        }
        List<String> all = new ArrayList<>(aggregates());
        String position = position();
        String value = sampled.getAsLong() == 1
                ? position
                : "case when rand() * " + sampled.getAsLong() + " < 1 then " + position + " end";
        all.add("ds_kll_sketch(cast(" + value + " as float))");
        return all;
    }

    /**
     * Returns the expression for a value's position in a histogram. Dates and timestamps are positioned by the seconds
     * since 1970.
     */
    private String position() {
        String name = quoted();
        String day = "datediff(" + name + ", '1970-01-01') * 86400L";
        return column.type() == PrimitiveType.DATE
                ? day
                : column.type() == PrimitiveType.TIMESTAMP
                        ? day + " + hour(" + name + ") * 3600 + minute(" + name + ") * 60 + second(" + name + ")"
                        : name;
    }

    private String quoted() {
        return HiveSqlParser.quoted(column.name());
    }

    private List<String> aggregates() {
        String name = quoted();
        String values = "count(" + name + ")";
        String distinct = "compute_bit_vector_hll(" + name + ")";
        String longest = "max(length(" + name + "))";
        String average = "avg(coalesce(length(" + name + "), 0))";
        if (column.type() == PrimitiveType.BOOLEAN) {
            return List.of(
                    values, "count(case when " + name + " then 1 end)", "count(case when not " + name + " then 1 end)");
        }
        if (column.type() == PrimitiveType.BINARY) {
            return List.of(values, longest, average);
        }
        return isText(column.type())
                ? List.of(values, longest, average, distinct)
                : List.of(values, "min(" + name + ")", "max(" + name + ")", distinct);
    }

    /**
     * @param found the values of {@link #aggregates}
     * @param rows number of rows of the table or partition
     */
    public ColumnStatistics statistics(List<Datum> found, long rows) {
        long nulls = rows - number(found.get(0), 0);
        if (column.type() == PrimitiveType.BOOLEAN) {
            return counts(nulls, -1).withBooleans(number(found.get(1), 0), number(found.get(2), 0));
        }
        if (column.type() == PrimitiveType.BINARY) {
            return counts(nulls, -1).withLengths(average(found.get(2)), number(found.get(1), 0));
        }
        Optional<DistinctSketch> sketch = found.get(3) instanceof Datum.OfBytes bytes
                ? Optional.of(new DistinctSketch(bytes.value()))
                : Optional.empty();
        ColumnStatistics counts = counts(nulls, rows > 0 ? 1 : 0);
        return isText(column.type())
                ? counts.withLengths(average(found.get(2)), number(found.get(1), 0))
                        .withSketch(sketch)
                : counts.withBounds(bound(found.get(1)), bound(found.get(2)))
                        .withSketch(sketch)
                        .withHistogram(histogram(found, rows - nulls));
    }

    /**
     * Returns the histogram scaled as if it contained all values, so that it can be merged with histograms of other
     * rows.
     */
    private static Optional<Histogram> histogram(List<Datum> found, long values) {
        if (found.size() < 5 || !(found.get(4) instanceof Datum.OfBytes bytes)) {
            return Optional.empty();
        }
        Histogram histogram = new Histogram(bytes.value());
        long sampled = histogram.values();
        while (sampled > 0 && 3 * sampled < 2 * values) {
            histogram = histogram.merge(histogram);
            sampled *= 2;
        }
        return sampled == 0 ? Optional.empty() : Optional.of(histogram);
    }

    /** Returns the statistics of a summary that was gathered while the rows were written. */
    public ColumnStatistics statistics(ColumnSummary summary) {
        if (summary.rows() == 0) {
            return empty();
        }
        if (column.type() == PrimitiveType.BOOLEAN) {
            return counts(summary.nulls(), -1).withBooleans(summary.trues(), summary.falses());
        }
        if (isRanged(column.type())) {
            return counts(summary.nulls(), 1)
                    .withBounds(summary.low(), summary.high())
                    .withSketch(summary.distinct())
                    .withHistogram(summary.histogram());
        }
        double average = (double) summary.totalLength() / summary.rows();
        return counts(summary.nulls(), isText(column.type()) ? 1 : -1)
                .withLengths(average, summary.maxLength())
                .withSketch(summary.distinct());
    }

    /** Returns the statistics of no rows. */
    public ColumnStatistics empty() {
        return isRanged(column.type())
                ? counts(0, 0)
                : column.type() == PrimitiveType.BOOLEAN
                        ? counts(0, -1).withBooleans(0, 0)
                        : counts(0, isText(column.type()) ? 0 : -1).withLengths(0, 0);
    }

    private ColumnStatistics counts(long nulls, long distinct) {
        return ColumnStatistics.of(column.name(), nulls, distinct);
    }

    private static Optional<Datum> bound(Datum datum) {
        // Metastore databases cannot store infinities or NaN.
        return datum.isNull() || datum instanceof Datum.OfDouble value && !Double.isFinite(value.value())
                ? Optional.empty()
                : Optional.of(datum);
    }

    private static long number(Datum datum, long otherwise) {
        return datum instanceof Datum.OfLong value ? value.value() : otherwise;
    }

    private static double average(Datum datum) {
        return datum instanceof Datum.OfDouble value ? value.value() : 0;
    }
}
