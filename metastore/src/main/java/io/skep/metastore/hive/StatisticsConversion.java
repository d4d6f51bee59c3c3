package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.BinaryColumnStatsData;
import org.apache.hadoop.hive.metastore.api.BooleanColumnStatsData;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsData;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.Date;
import org.apache.hadoop.hive.metastore.api.DateColumnStatsData;
import org.apache.hadoop.hive.metastore.api.Decimal;
import org.apache.hadoop.hive.metastore.api.DecimalColumnStatsData;
import org.apache.hadoop.hive.metastore.api.DoubleColumnStatsData;
import org.apache.hadoop.hive.metastore.api.LongColumnStatsData;
import org.apache.hadoop.hive.metastore.api.StringColumnStatsData;
import org.apache.hadoop.hive.metastore.api.Timestamp;
import org.apache.hadoop.hive.metastore.api.TimestampColumnStatsData;
import org.jspecify.annotations.NullUnmarked;

/**
 * Converts column statistics between the catalog's records and the library's objects. Bounds follow the column's type.
 * The library stores decimals with their own scale, and the catalog uses the column's scale. Timestamps are stored in
 * whole seconds.
 */
@NullUnmarked
final class StatisticsConversion {
    private static final long UNKNOWN = -1;

    private StatisticsConversion() {}

    /**
     * Whether statistics match a column's type. When a column's type changes, partitions keep the statistics of the old
     * type. These do not describe the values in the new type.
     */
    static boolean isOf(ColumnStatisticsObj object, SqlType type) {
        return switch (object.getStatsData().getSetField()) {
            case BOOLEAN_STATS -> type == PrimitiveType.BOOLEAN;
            case LONG_STATS ->
                type == PrimitiveType.TINYINT
                        || type == PrimitiveType.SMALLINT
                        || type == PrimitiveType.INT
                        || type == PrimitiveType.BIGINT
                        || type == PrimitiveType.INTERVAL_YEAR_MONTH;
            case DOUBLE_STATS -> type == PrimitiveType.FLOAT || type == PrimitiveType.DOUBLE;
            case DECIMAL_STATS -> type instanceof DecimalType;
            case DATE_STATS -> type == PrimitiveType.DATE;
            case TIMESTAMP_STATS -> type == PrimitiveType.TIMESTAMP || type == PrimitiveType.TIMESTAMP_LOCAL_TZ;
            case STRING_STATS ->
                type == PrimitiveType.STRING || type instanceof CharType || type instanceof VarcharType;
            case BINARY_STATS -> type == PrimitiveType.BINARY;
        };
    }

    static ColumnStatistics fromThrift(ColumnStatisticsObj object, SqlType type) {
        ColumnStatistics plain = withoutSketch(object, type);
        byte[] sketch = sketch(object.getStatsData());
        byte[] histogram = histogram(object.getStatsData());
        // Keeps the metastore's number of distinct values, because a user may have set it.
        return new ColumnStatistics(
                plain.column(),
                plain.nullCount(),
                plain.distinctValues(),
                plain.low(),
                plain.high(),
                plain.averageLength(),
                plain.maxLength(),
                plain.trueCount(),
                plain.falseCount(),
                isAbsent(sketch) ? Optional.empty() : Optional.of(new DistinctSketch(sketch)),
                isAbsent(histogram) ? Optional.empty() : Optional.of(new Histogram(histogram)));
    }

    private static boolean isAbsent(byte[] sketch) {
        return sketch == null || sketch.length == 0;
    }

    private static byte[] histogram(ColumnStatisticsData data) {
        return switch (data.getSetField()) {
            case LONG_STATS -> data.getLongStats().getHistogram();
            case DOUBLE_STATS -> data.getDoubleStats().getHistogram();
            case DECIMAL_STATS -> data.getDecimalStats().getHistogram();
            case DATE_STATS -> data.getDateStats().getHistogram();
            case TIMESTAMP_STATS -> data.getTimestampStats().getHistogram();
            case BOOLEAN_STATS, BINARY_STATS, STRING_STATS -> null;
        };
    }

    private static byte[] sketch(ColumnStatisticsData data) {
        return switch (data.getSetField()) {
            case LONG_STATS -> data.getLongStats().getBitVectors();
            case DOUBLE_STATS -> data.getDoubleStats().getBitVectors();
            case DECIMAL_STATS -> data.getDecimalStats().getBitVectors();
            case DATE_STATS -> data.getDateStats().getBitVectors();
            case TIMESTAMP_STATS -> data.getTimestampStats().getBitVectors();
            case STRING_STATS -> data.getStringStats().getBitVectors();
            case BOOLEAN_STATS, BINARY_STATS -> null;
        };
    }

    private static ColumnStatistics withoutSketch(ColumnStatisticsObj object, SqlType type) {
        String column = object.getColName();
        ColumnStatisticsData data = object.getStatsData();
        return switch (data.getSetField()) {
            case BOOLEAN_STATS -> booleans(column, data.getBooleanStats());
            case LONG_STATS -> longs(column, data.getLongStats());
            case DOUBLE_STATS -> doubles(column, data.getDoubleStats());
            case DECIMAL_STATS -> decimals(column, data.getDecimalStats(), type);
            case DATE_STATS -> dates(column, data.getDateStats());
            case TIMESTAMP_STATS -> timestamps(column, data.getTimestampStats());
            case STRING_STATS -> strings(column, data.getStringStats());
            case BINARY_STATS -> binaries(column, data.getBinaryStats());
        };
    }

    private static ColumnStatistics booleans(String column, BooleanColumnStatsData stats) {
        int distinct = (stats.getNumTrues() > 0 ? 1 : 0) + (stats.getNumFalses() > 0 ? 1 : 0);
        return ColumnStatistics.of(column, stats.getNumNulls(), distinct)
                .withBooleans(stats.getNumTrues(), stats.getNumFalses());
    }

    private static ColumnStatistics longs(String column, LongColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withBounds(
                        stats.isSetLowValue() ? Optional.of(new Datum.OfLong(stats.getLowValue())) : Optional.empty(),
                        stats.isSetHighValue()
                                ? Optional.of(new Datum.OfLong(stats.getHighValue()))
                                : Optional.empty());
    }

    private static ColumnStatistics doubles(String column, DoubleColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withBounds(
                        stats.isSetLowValue() ? Optional.of(new Datum.OfDouble(stats.getLowValue())) : Optional.empty(),
                        stats.isSetHighValue()
                                ? Optional.of(new Datum.OfDouble(stats.getHighValue()))
                                : Optional.empty());
    }

    private static ColumnStatistics decimals(String column, DecimalColumnStatsData stats, SqlType type) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withBounds(
                        Optional.ofNullable(stats.getLowValue()).map(value -> decimal(value, type, RoundingMode.FLOOR)),
                        Optional.ofNullable(stats.getHighValue())
                                .map(value -> decimal(value, type, RoundingMode.CEILING)));
    }

    private static ColumnStatistics dates(String column, DateColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withBounds(
                        Optional.ofNullable(stats.getLowValue())
                                .map(date -> new Datum.OfLong(date.getDaysSinceEpoch())),
                        Optional.ofNullable(stats.getHighValue())
                                .map(date -> new Datum.OfLong(date.getDaysSinceEpoch())));
    }

    private static ColumnStatistics timestamps(String column, TimestampColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withBounds(
                        Optional.ofNullable(stats.getLowValue())
                                .map(value -> new Datum.OfTimestamp(value.getSecondsSinceEpoch(), 0)),
                        // The fraction was truncated when the bound was written. The true bound is below the next
                        // second.
                        Optional.ofNullable(stats.getHighValue())
                                .map(value -> new Datum.OfTimestamp(value.getSecondsSinceEpoch(), 999_999_999)));
    }

    private static ColumnStatistics strings(String column, StringColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), stats.getNumDVs())
                .withLengths(stats.getAvgColLen(), stats.getMaxColLen());
    }

    private static ColumnStatistics binaries(String column, BinaryColumnStatsData stats) {
        return ColumnStatistics.of(column, stats.getNumNulls(), UNKNOWN)
                .withLengths(stats.getAvgColLen(), stats.getMaxColLen());
    }

    private static Datum decimal(Decimal value, SqlType type, RoundingMode rounding) {
        BigDecimal number = new BigDecimal(new BigInteger(value.getUnscaled()), value.getScale());
        if (!(type instanceof DecimalType decimal)) {
            return new Datum.OfDouble(number.doubleValue());
        }
        BigInteger unscaled = number.setScale(decimal.scale(), rounding).unscaledValue();
        return decimal.isShort() ? new Datum.OfLong(unscaled.longValue()) : new Datum.OfDecimal(unscaled);
    }

    static ColumnStatisticsObj toThrift(ColumnStatistics statistics, SqlType type) {
        return new ColumnStatisticsObj(statistics.column(), type.displayName(), data(statistics, type));
    }

    private static ColumnStatisticsData data(ColumnStatistics statistics, SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case BOOLEAN ->
                        ColumnStatisticsData.booleanStats(new BooleanColumnStatsData(
                                Math.max(statistics.trueCount(), 0),
                                Math.max(statistics.falseCount(), 0),
                                statistics.nullCount()));
                    case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_YEAR_MONTH -> longs(statistics);
                    case FLOAT, DOUBLE -> doubles(statistics);
                    case STRING -> strings(statistics);
                    case BINARY ->
                        ColumnStatisticsData.binaryStats(new BinaryColumnStatsData(
                                Math.max(statistics.maxLength(), 0),
                                Math.max(statistics.averageLength(), 0),
                                statistics.nullCount()));
                    case DATE -> dates(statistics);
                    case TIMESTAMP, TIMESTAMP_LOCAL_TZ -> timestamps(statistics);
                    case VOID, INTERVAL_DAY_TIME -> throw unsupported(statistics, type);
                };
            case DecimalType decimal -> decimals(statistics, decimal);
            case CharType c -> strings(statistics);
            case VarcharType v -> strings(statistics);
            default -> throw unsupported(statistics, type);
        };
    }

    private static SkepException unsupported(ColumnStatistics statistics, SqlType type) {
        return new SkepException(
                StandardErrorCode.NOT_SUPPORTED,
                "column '" + statistics.column() + "': the metastore keeps no statistics of type "
                        + type.displayName());
    }

    private static ColumnStatisticsData longs(ColumnStatistics statistics) {
        LongColumnStatsData data = new LongColumnStatsData(statistics.nullCount(), distinct(statistics));
        statistics.low().ifPresent(low -> data.setLowValue(asLong(low)));
        statistics.high().ifPresent(high -> data.setHighValue(asLong(high)));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        statistics.histogram().ifPresent(histogram -> data.setHistogram(histogram.bytes()));
        return ColumnStatisticsData.longStats(data);
    }

    private static ColumnStatisticsData doubles(ColumnStatistics statistics) {
        DoubleColumnStatsData data = new DoubleColumnStatsData(statistics.nullCount(), distinct(statistics));
        statistics.low().ifPresent(low -> data.setLowValue(((Datum.OfDouble) low).value()));
        statistics.high().ifPresent(high -> data.setHighValue(((Datum.OfDouble) high).value()));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        statistics.histogram().ifPresent(histogram -> data.setHistogram(histogram.bytes()));
        return ColumnStatisticsData.doubleStats(data);
    }

    private static ColumnStatisticsData strings(ColumnStatistics statistics) {
        StringColumnStatsData data = new StringColumnStatsData(
                Math.max(statistics.maxLength(), 0),
                Math.max(statistics.averageLength(), 0),
                statistics.nullCount(),
                distinct(statistics));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        return ColumnStatisticsData.stringStats(data);
    }

    private static ColumnStatisticsData dates(ColumnStatistics statistics) {
        DateColumnStatsData data = new DateColumnStatsData(statistics.nullCount(), distinct(statistics));
        statistics.low().ifPresent(low -> data.setLowValue(new Date(asLong(low))));
        statistics.high().ifPresent(high -> data.setHighValue(new Date(asLong(high))));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        statistics.histogram().ifPresent(histogram -> data.setHistogram(histogram.bytes()));
        return ColumnStatisticsData.dateStats(data);
    }

    private static ColumnStatisticsData timestamps(ColumnStatistics statistics) {
        TimestampColumnStatsData data = new TimestampColumnStatsData(statistics.nullCount(), distinct(statistics));
        statistics.low().ifPresent(low -> data.setLowValue(new Timestamp(((Datum.OfTimestamp) low).seconds())));
        statistics.high().ifPresent(high -> data.setHighValue(new Timestamp(((Datum.OfTimestamp) high).seconds())));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        statistics.histogram().ifPresent(histogram -> data.setHistogram(histogram.bytes()));
        return ColumnStatisticsData.timestampStats(data);
    }

    private static ColumnStatisticsData decimals(ColumnStatistics statistics, DecimalType type) {
        DecimalColumnStatsData data = new DecimalColumnStatsData(statistics.nullCount(), distinct(statistics));
        statistics.low().ifPresent(low -> data.setLowValue(decimal(low, type)));
        statistics.high().ifPresent(high -> data.setHighValue(decimal(high, type)));
        statistics.sketch().ifPresent(sketch -> data.setBitVectors(sketch.bytes()));
        statistics.histogram().ifPresent(histogram -> data.setHistogram(histogram.bytes()));
        return ColumnStatisticsData.decimalStats(data);
    }

    /**
     * Strips trailing zeros, as Hive does. The library compares bounds of partitions by scale before digits. Otherwise
     * a bound in another form than Hive's could lose against a smaller one.
     */
    private static Decimal decimal(Datum value, DecimalType type) {
        BigInteger unscaled =
                value instanceof Datum.OfDecimal decimal ? decimal.unscaled() : BigInteger.valueOf(asLong(value));
        BigDecimal number = new BigDecimal(unscaled, type.scale()).stripTrailingZeros();
        BigDecimal normal = number.scale() < 0 ? number.setScale(0) : number;
        Decimal decimal = new Decimal();
        decimal.setScale((short) normal.scale());
        decimal.setUnscaled(normal.unscaledValue().toByteArray());
        return decimal;
    }

    private static long asLong(Datum value) {
        return ((Datum.OfLong) value).value();
    }

    private static long distinct(ColumnStatistics statistics) {
        return Math.max(statistics.distinctValues(), 0);
    }
}
