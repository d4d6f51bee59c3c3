package io.skep.storage.statistics;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.apache.hive.org.apache.datasketches.kll.KllFloatsSketch;
import org.apache.hive.org.apache.datasketches.memory.Memory;
import org.apache.hive.org.apache.datasketches.quantilescommon.FloatsSketchSortedView;
import org.apache.hive.org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a column's non-null values: a KLL sketch of floats (Karnin, Lang, Liberty, 2016) in the bytes
 * that Hive's metastore stores as its histogram. Dates and timestamps are seconds since 1970. Equality is by content.
 * The array given to the constructor and returned by {@link #bytes} is shared and must never be modified.
 */
public final class Histogram {
    private static final double SECONDS_A_DAY = 86_400;

    private final byte[] bytes;
    /** The sorted values, created on first use, because sorting costs more than a hundred lookups. */
    private volatile @Nullable FloatsSketchSortedView sorted;

    public Histogram(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether columns of a type have a histogram. */
    public static boolean supports(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DATE, TIMESTAMP -> true;
                    default -> false;
                };
            case DecimalType _ -> true;
            default -> false;
        };
    }

    /**
     * Returns the position of a column value among the histogram's values. Returns empty for values without a position.
     */
    public static OptionalDouble position(Datum value, SqlType type) {
        return switch (value) {
            case Datum.OfLong number
            when type == PrimitiveType.DATE -> OptionalDouble.of(number.value() * SECONDS_A_DAY);
            case Datum.OfLong number
            when type instanceof DecimalType decimal ->
                OptionalDouble.of(number.value() / Math.pow(10, decimal.scale()));
            case Datum.OfLong number -> OptionalDouble.of((double) number.value());
            case Datum.OfDouble number -> OptionalDouble.of(number.value());
            case Datum.OfDecimal number ->
                type instanceof DecimalType decimal
                        ? OptionalDouble.of(number.unscaled().doubleValue() / Math.pow(10, decimal.scale()))
                        : OptionalDouble.empty();
            case Datum.OfTimestamp time -> OptionalDouble.of(time.seconds() + time.nanos() / 1e9);
            default -> OptionalDouble.empty();
        };
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Returns the approximate number of values, at least one. */
    public long values() {
        return sketch().getN();
    }

    /**
     * Returns the fraction of the values below a position.
     *
     * @param inclusive whether values at the position count
     */
    public double below(double position, boolean inclusive) {
        return sorted().getRank(
                        (float) position,
                        inclusive ? QuantileSearchCriteria.INCLUSIVE : QuantileSearchCriteria.EXCLUSIVE);
    }

    private FloatsSketchSortedView sorted() {
        FloatsSketchSortedView known = sorted;
        if (known == null) {
            known = sketch().getSortedView();
            sorted = known;
        }
        return known;
    }

    /** Returns the histogram of the values of both. */
    public Histogram merge(Histogram other) {
        KllFloatsSketch merged = sketch();
        merged.merge(other.sketch());
        return new Histogram(merged.toByteArray());
    }

    private KllFloatsSketch sketch() {
        return KllFloatsSketch.heapify(Memory.wrap(bytes));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Histogram histogram && Arrays.equals(bytes, histogram.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "histogram of about " + values();
    }
}
