package io.skep.storage.orc;

import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.prune.ColumnBounds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Timestamp;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.orc.BooleanColumnStatistics;
import org.apache.orc.ColumnStatistics;
import org.apache.orc.DateColumnStatistics;
import org.apache.orc.DecimalColumnStatistics;
import org.apache.orc.DoubleColumnStatistics;
import org.apache.orc.IntegerColumnStatistics;
import org.apache.orc.OrcFile;
import org.apache.orc.StringColumnStatistics;
import org.apache.orc.TimestampColumnStatistics;
import org.apache.orc.TypeDescription;
import org.apache.orc.util.BloomFilter;
import org.jspecify.annotations.Nullable;

/** Converts ORC's statistics to the form that predicates are checked against. */
final class OrcBounds {
    private OrcBounds() {}

    static ColumnBounds of(
            ColumnStatistics statistics,
            TypeDescription fileType,
            SqlType type,
            OrcFile.WriterVersion writer,
            Predicate<Datum> bloom) {
        boolean values = statistics.getNumberOfValues() > 0;
        Optional<Datum> min = Optional.empty();
        Optional<Datum> max = Optional.empty();
        if (values) {
            boolean timestamps = statistics instanceof TimestampColumnStatistics;
            // Statistics of char columns refer to padded text, which sorts differently from text without padding.
            boolean padded = fileType.getCategory() == TypeDescription.Category.CHAR;
            if (!padded && (!timestamps || writer.includes(OrcFile.WriterVersion.ORC_135))) {
                min = min(statistics, type);
                max = max(statistics, type);
            }
        }
        return new ColumnBounds(min, max, statistics.hasNull(), values, bloom);
    }

    static boolean integer(TypeDescription type) {
        return switch (type.getCategory()) {
            case BYTE, SHORT, INT, LONG -> true;
            default -> false;
        };
    }

    private static Optional<Datum> min(ColumnStatistics statistics, SqlType type) {
        return switch (statistics) {
            case IntegerColumnStatistics s -> Optional.of(new Datum.OfLong(s.getMinimum()));
            case DoubleColumnStatistics s -> Optional.of(new Datum.OfDouble(s.getMinimum()));
            case StringColumnStatistics s -> text(s.getLowerBound());
            case DateColumnStatistics s -> Optional.of(new Datum.OfLong(s.getMinimumDayOfEpoch()));
            case TimestampColumnStatistics s -> timestamp(s.getMinimumUTC(), 0);
            case DecimalColumnStatistics s -> decimal(s.getMinimum(), type, RoundingMode.FLOOR);
            case BooleanColumnStatistics s -> Optional.of(Datum.ofBoolean(s.getFalseCount() == 0));
            default -> Optional.empty();
        };
    }

    private static Optional<Datum> max(ColumnStatistics statistics, SqlType type) {
        return switch (statistics) {
            case IntegerColumnStatistics s -> Optional.of(new Datum.OfLong(s.getMaximum()));
            case DoubleColumnStatistics s -> Optional.of(new Datum.OfDouble(s.getMaximum()));
            case StringColumnStatistics s -> text(s.getUpperBound());
            case DateColumnStatistics s -> Optional.of(new Datum.OfLong(s.getMaximumDayOfEpoch()));
            case TimestampColumnStatistics s -> timestamp(s.getMaximumUTC(), 1);
            case DecimalColumnStatistics s -> decimal(s.getMaximum(), type, RoundingMode.CEILING);
            case BooleanColumnStatistics s -> Optional.of(Datum.ofBoolean(s.getTrueCount() > 0));
            default -> Optional.empty();
        };
    }

    private static Optional<Datum> text(@Nullable String bound) {
        return bound == null ? Optional.empty() : Optional.of(Datum.ofText(bound));
    }

    /** Statistics have millisecond precision, so the upper bound is rounded up by one. */
    private static Optional<Datum> timestamp(@Nullable Timestamp bound, int addMillis) {
        if (bound == null) {
            return Optional.empty();
        }
        long millis = bound.getTime() + addMillis;
        int nanos = (int) Math.floorMod(millis, 1000L) * 1_000_000;
        return Optional.of(new Datum.OfTimestamp(Math.floorDiv(millis, 1000L), nanos));
    }

    private static Optional<Datum> decimal(@Nullable HiveDecimal bound, SqlType type, RoundingMode rounding) {
        if (bound == null || !(type instanceof DecimalType decimal)) {
            return Optional.empty();
        }
        BigInteger unscaled =
                bound.bigDecimalValue().setScale(decimal.scale(), rounding).unscaledValue();
        return Optional.of(decimal.isShort() ? new Datum.OfLong(unscaled.longValue()) : new Datum.OfDecimal(unscaled));
    }

    /** Returns false only when a Bloom filter proves that it does not contain the value. */
    static boolean mayContain(BloomFilter filter, TypeDescription fileType, Datum value) {
        return switch (fileType.getCategory()) {
            case BYTE, SHORT, INT, LONG, DATE -> !(value instanceof Datum.OfLong v) || filter.testLong(v.value());
            case FLOAT, DOUBLE ->
                // The two zeros are equal but have different hashes.
                !(value instanceof Datum.OfDouble v) || v.value() == 0 || filter.testDouble(v.value());
            case STRING, VARCHAR -> !(value instanceof Datum.OfBytes v) || filter.test(v.value());
            case DECIMAL -> decimalInFilter(filter, fileType, value);
            default -> true;
        };
    }

    private static boolean decimalInFilter(BloomFilter filter, TypeDescription fileType, Datum value) {
        BigInteger unscaled = switch (value) {
            case Datum.OfLong v -> BigInteger.valueOf(v.value());
            case Datum.OfDecimal v -> v.unscaled();
            default -> null;
        };
        if (unscaled == null) {
            return true;
        }
        HiveDecimal decimal = HiveDecimal.create(new BigDecimal(unscaled, fileType.getScale()));
        return decimal == null || filter.testString(decimal.toString());
    }
}
