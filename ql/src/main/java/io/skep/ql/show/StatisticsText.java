package io.skep.ql.show;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.storage.statistics.DistinctSketch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats bounds of columns as DESCRIBE shows them. */
final class StatisticsText {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private StatisticsText() {}

    /** Whether the statistics of a type contain lengths instead of bounds. */
    static boolean hasLength(SqlType type) {
        return type == PrimitiveType.STRING
                || type == PrimitiveType.BINARY
                || type instanceof CharType
                || type instanceof VarcharType;
    }

    /** Returns the text of a bound. As in Hive, a numeric column without values shows zero. */
    static String bound(Optional<Datum> bound, SqlType type) {
        if (bound.isEmpty()) {
            return type == PrimitiveType.DOUBLE || type == PrimitiveType.FLOAT
                    ? "0.0"
                    : type == PrimitiveType.DATE || type == PrimitiveType.TIMESTAMP || type instanceof DecimalType
                            ? ""
                            : "0";
        }
        return switch (bound.get()) {
            case Datum.OfLong value
            when type == PrimitiveType.DATE ->
                LocalDate.ofEpochDay(value.value()).toString();
            case Datum.OfLong value
            when type instanceof DecimalType decimal -> decimal(BigInteger.valueOf(value.value()), decimal);
            case Datum.OfDecimal value when type instanceof DecimalType decimal -> decimal(value.unscaled(), decimal);
            case Datum.OfLong value -> Long.toString(value.value());
            case Datum.OfDouble value -> Double.toString(value.value());
            case Datum.OfTimestamp value ->
                LocalDateTime.ofEpochSecond(value.seconds(), 0, ZoneOffset.UTC).format(SECONDS);
            case Datum.OfBytes value -> value.toString();
            default -> "";
        };
    }

    /** Returns the statistics as the list of ALTER TABLE ... UPDATE STATISTICS FOR COLUMN, in Hive's order. */
    static String pairs(ColumnStatistics statistics, SqlType type) {
        List<String> pairs = new ArrayList<>();
        if (type == PrimitiveType.BOOLEAN) {
            add(pairs, "numTrues", statistics.trueCount());
            add(pairs, "numFalses", statistics.falseCount());
        } else if (hasLength(type)) {
            pairs.add(pair("avgColLen", Double.toString(statistics.averageLength())));
            add(pairs, "maxColLen", statistics.maxLength());
        } else {
            statistics.low().ifPresent(low -> pairs.add(pair("lowValue", stored(low, type))));
            statistics.high().ifPresent(high -> pairs.add(pair("highValue", stored(high, type))));
        }
        add(pairs, "numNulls", statistics.nullCount());
        if (type != PrimitiveType.BOOLEAN && type != PrimitiveType.BINARY) {
            add(pairs, "numDVs", statistics.distinctValues());
        }
        return " SET(" + String.join(",", pairs) + " );";
    }

    private static void add(List<String> pairs, String name, long count) {
        if (count >= 0) {
            pairs.add(pair(name, Long.toString(count)));
        }
    }

    private static String pair(String name, String value) {
        return "'" + name + "'='" + value + "'";
    }

    /** Returns a bound as it is set: dates as days, times as seconds. */
    private static String stored(Datum bound, SqlType type) {
        return switch (bound) {
            case Datum.OfLong days when type == PrimitiveType.DATE -> Long.toString(days.value());
            case Datum.OfTimestamp time -> Long.toString(time.seconds());
            default -> bound(Optional.of(bound), type);
        };
    }

    static String base64(DistinctSketch sketch) {
        return Base64.getEncoder().encodeToString(sketch.bytes());
    }

    private static String decimal(BigInteger unscaled, DecimalType type) {
        BigDecimal value = new BigDecimal(unscaled, type.scale()).stripTrailingZeros();
        return (value.scale() < 0 ? value.setScale(0) : value).toPlainString();
    }
}
