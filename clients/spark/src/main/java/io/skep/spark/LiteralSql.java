package io.skep.spark;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.jspecify.annotations.Nullable;

/** Spark's values as literals of HiveQL of the same type. Values without such a literal have none here. */
final class LiteralSql {
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;
    private static final int MAX_YEAR = 9999;

    /** Stands where bytes are no text, so a literal with it may have been another one. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    private LiteralSql() {}

    /**
     * Returns the literal of a value.
     *
     * @param value as Spark has it inside
     * @param type of the value, which the literal has in HiveQL too; texts have the type STRING
     */
    static Optional<String> of(@Nullable Object value, DataType type) {
        if (value == null) {
            return Optional.empty();
        }
        if (ColumnTypes.isText(type)) {
            return text(value.toString());
        }
        if (type instanceof BooleanType) {
            return Optional.of(value.toString());
        }
        if (type instanceof DateType && value instanceof Integer days) {
            return date(LocalDate.ofEpochDay(days));
        }
        if (type instanceof DecimalType decimal && value instanceof Decimal number) {
            return decimal(number.toJavaBigDecimal(), decimal);
        }
        return value instanceof Number number ? integer(number.longValue(), type) : Optional.empty();
    }

    private static Optional<String> text(String text) {
        return text.indexOf(REPLACEMENT) >= 0 ? Optional.empty() : Optional.of(SqlText.literal(text));
    }

    /** Returns the literal of a type's range. Its least value is none: the minus sign is an operator. */
    private static Optional<String> integer(long value, DataType type) {
        if (type instanceof ByteType) {
            return value == Byte.MIN_VALUE ? Optional.empty() : Optional.of(value + "Y");
        }
        if (type instanceof ShortType) {
            return value == Short.MIN_VALUE ? Optional.empty() : Optional.of(value + "S");
        }
        if (type instanceof IntegerType) {
            return value == Integer.MIN_VALUE ? Optional.empty() : Optional.of(Long.toString(value));
        }
        if (type instanceof LongType) {
            return value == Long.MIN_VALUE ? Optional.empty() : Optional.of(value + "L");
        }
        return Optional.empty();
    }

    /** Returns the literal of a value that fits into the type, so that no digit is lost in a comparison with it. */
    private static Optional<String> decimal(BigDecimal value, DecimalType type) {
        boolean fits =
                value.scale() <= type.scale() && value.precision() - value.scale() <= type.precision() - type.scale();
        return fits ? Optional.of(value.toPlainString() + "BD") : Optional.empty();
    }

    private static Optional<String> date(LocalDate date) {
        return date.getYear() < 1 || date.getYear() > MAX_YEAR ? Optional.empty() : Optional.of("DATE '" + date + "'");
    }

    /** Returns the literal of a TIMESTAMP without zone. */
    static Optional<String> timestamp(long micros) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * NANOS_OF_MICRO, ZoneOffset.UTC);
        return time.getYear() < 1 || time.getYear() > MAX_YEAR
                ? Optional.empty()
                : Optional.of("TIMESTAMP '" + TIME.format(time) + "'");
    }
}
