package io.skep.ql.rel;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Locale;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimestampString;

/** Converts constants to Calcite's literals and back, without loss. */
public final class LiteralMapping {
    private static final BigDecimal MILLIS = BigDecimal.valueOf(1_000);
    private static final int NANO_DIGITS = 9;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private final HiveRexBuilder rex;
    private final TypeMapping types;

    LiteralMapping(HiveRexBuilder rex, TypeMapping types) {
        this.rex = rex;
        this.types = types;
    }

    /**
     * Whether Calcite has a literal for a date or a timestamp: the years 1 to 9999. All other values are always in
     * range.
     */
    public static boolean isInRange(Datum value, SqlType type) {
        return switch (value) {
            case Datum.OfLong v when type == PrimitiveType.DATE -> v.value() >= FIRST_DAY && v.value() <= LAST_DAY;
            case Datum.OfTimestamp v
            when type != PrimitiveType.INTERVAL_DAY_TIME -> {
                long day = Math.floorDiv(v.seconds(), SECONDS_PER_DAY);
                yield day >= FIRST_DAY && day <= LAST_DAY;
            }
            default -> true;
        };
    }

    /** @throws IllegalArgumentException for a value of a complex type, which is a call of its constructor instead */
    RexLiteral toRex(Datum value, SqlType type) {
        return switch (value) {
            case Datum.Null n -> rex.makeNullLiteral(types.toRel(type));
            case Datum.OfLong v -> ofLong(v.value(), type);
            case Datum.OfDouble v -> rex.makeApproxLiteral((Double) v.value(), types.notNull(type));
            case Datum.OfBytes v -> ofBytes(v.value(), type);
            case Datum.OfDecimal v -> decimal(v.unscaled(), (DecimalType) type);
            case Datum.OfTimestamp v -> ofTimestamp(v, type);
            case Datum.OfList v -> throw complex(type);
            case Datum.OfMap v -> throw complex(type);
            case Datum.OfUnion v -> throw complex(type);
        };
    }

    private static IllegalArgumentException complex(SqlType type) {
        return new IllegalArgumentException("no literal of type " + type);
    }

    private RexLiteral ofLong(long value, SqlType type) {
        if (type instanceof DecimalType decimal) {
            return decimal(BigInteger.valueOf(value), decimal);
        }
        return switch ((PrimitiveType) type) {
            case BOOLEAN -> rex.makeLiteral(value != 0);
            case DATE -> rex.makeDateLiteral(DateString.fromDaysSinceEpoch(Math.toIntExact(value)));
            case INTERVAL_YEAR_MONTH ->
                rex.makeIntervalLiteral(
                        BigDecimal.valueOf(value), TypeMapping.interval(PrimitiveType.INTERVAL_YEAR_MONTH));
            default -> rex.makeExactLiteral(BigDecimal.valueOf(value), types.notNull(type));
        };
    }

    private RexLiteral decimal(BigInteger unscaled, DecimalType type) {
        return rex.makeExactLiteral(new BigDecimal(unscaled, type.scale()), types.notNull(type));
    }

    private RexLiteral ofBytes(byte[] value, SqlType type) {
        if (type == PrimitiveType.BINARY) {
            return rex.literal(new ByteString(value), types.notNull(type), SqlTypeName.BINARY);
        }
        NlsString text = new NlsString(new String(value, StandardCharsets.UTF_8), "UTF-8", SqlCollation.IMPLICIT);
        return rex.literal(text, types.notNull(type), SqlTypeName.CHAR);
    }

    private RexLiteral ofTimestamp(Datum.OfTimestamp value, SqlType type) {
        if (type == PrimitiveType.INTERVAL_DAY_TIME) {
            BigDecimal seconds =
                    BigDecimal.valueOf(value.seconds()).add(BigDecimal.valueOf(value.nanos(), NANO_DIGITS));
            return rex.makeIntervalLiteral(
                    seconds.multiply(MILLIS), TypeMapping.interval(PrimitiveType.INTERVAL_DAY_TIME));
        }
        TimestampString text = timestampString(value);
        return type == PrimitiveType.TIMESTAMP
                ? rex.makeTimestampLiteral(text, NANO_DIGITS)
                : rex.makeTimestampWithLocalTimeZoneLiteral(text, NANO_DIGITS);
    }

    private static TimestampString timestampString(Datum.OfTimestamp value) {
        return TimestampString.fromMillisSinceEpoch(Math.multiplyExact(value.seconds(), 1_000L))
                .withNanos(value.nanos());
    }

    /**
     * Returns the value of a literal that {@link HiveRexBuilder#constant} or one of Calcite's rules created, in the
     * literal's own type.
     */
    public static Datum toDatum(RexLiteral literal) {
        return toDatum(literal, TypeMapping.toSql(literal.getType()));
    }

    /**
     * Returns the value of a literal in the representation of a type. Literal and type must be of the same kind: text,
     * number or time.
     */
    public static Datum toDatum(RexLiteral literal, SqlType type) {
        Comparable<?> value = literal.getValueAs(Comparable.class);
        return value == null ? Datum.NULL : toDatum(value, type);
    }

    /** Converts a value from the form that Calcite uses in literals and in {@link org.apache.calcite.util.Sarg}s. */
    public static Datum toDatum(Object value, SqlType type) {
        return switch (type) {
            case DecimalType decimal -> decimalDatum(number(value), decimal);
            case CharType text -> Datum.ofText(text(value).stripTrailing());
            case VarcharType text -> Datum.ofText(text(value));
            case PrimitiveType primitive -> primitiveDatum(value, primitive);
            default -> throw complex(type);
        };
    }

    private static Datum primitiveDatum(Object value, PrimitiveType type) {
        return switch (type) {
            case VOID -> Datum.NULL;
            case BOOLEAN -> Datum.ofBoolean((Boolean) value);
            case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_YEAR_MONTH ->
                new Datum.OfLong(number(value).longValueExact());
            case FLOAT, DOUBLE -> new Datum.OfDouble(((Number) value).doubleValue());
            case STRING -> Datum.ofText(text(value));
            case BINARY -> new Datum.OfBytes(((ByteString) value).getBytes());
            case DATE -> new Datum.OfLong(days(value));
            case TIMESTAMP, TIMESTAMP_LOCAL_TZ -> timestamp(value);
            case INTERVAL_DAY_TIME -> interval(number(value));
        };
    }

    private static Datum decimalDatum(BigDecimal value, DecimalType type) {
        BigInteger unscaled = value.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
        return type.isShort() ? new Datum.OfLong(unscaled.longValueExact()) : new Datum.OfDecimal(unscaled);
    }

    private static BigDecimal number(Object value) {
        return value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
    }

    private static String text(Object value) {
        return value instanceof NlsString string ? string.getValue() : (String) value;
    }

    private static long days(Object value) {
        return switch (value) {
            case DateString date -> date.getDaysSinceEpoch();
            case Calendar calendar -> Math.floorDiv(calendar.getTimeInMillis(), SECONDS_PER_DAY * 1_000);
            default -> ((Number) value).longValue();
        };
    }

    private static Datum timestamp(Object value) {
        TimestampString text =
                value instanceof TimestampString string ? string : TimestampString.fromCalendarFields((Calendar) value);
        String digits = text.toString();
        int point = digits.indexOf('.');
        int nanos = point < 0
                ? 0
                : Integer.parseInt(String.format(Locale.ROOT, "%-9s", digits.substring(point + 1))
                        .replace(' ', '0'));
        return new Datum.OfTimestamp(Math.floorDiv(text.getMillisSinceEpoch(), 1_000L), nanos);
    }

    private static Datum interval(BigDecimal millis) {
        BigDecimal nanos = millis.movePointRight(6);
        BigInteger[] parts = nanos.toBigIntegerExact().divideAndRemainder(BigInteger.valueOf(1_000_000_000));
        long seconds = parts[0].longValueExact();
        int rest = parts[1].intValueExact();
        return rest < 0
                ? new Datum.OfTimestamp(seconds - 1, rest + 1_000_000_000)
                : new Datum.OfTimestamp(seconds, rest);
    }
}
