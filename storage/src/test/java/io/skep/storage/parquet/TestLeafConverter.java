package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Random;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the values of each kind of leaf in the types that a table may declare for it. */
class TestLeafConverter {
    private static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");
    private static final FileZones ZONES = new FileZones(FileZones.UTC, ZONE, true);

    private static PrimitiveType leaf(PrimitiveTypeName physical, @Nullable LogicalTypeAnnotation logical) {
        return Types.primitive(physical, Repetition.OPTIONAL)
                .length(physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY ? 16 : 0)
                .as(logical)
                .named("c");
    }

    private static PrimitiveType decimal(PrimitiveTypeName physical, int precision, int scale) {
        return leaf(physical, LogicalTypeAnnotation.decimalType(scale, precision));
    }

    private static Optional<Datum> read(PrimitiveType leaf, String type, Object value) {
        return read(leaf, TypeParser.parse(type), ZONES, value);
    }

    private static Optional<Datum> read(PrimitiveType leaf, SqlType type, FileZones zones, Object value) {
        return new LeafDatums(leaf, type, zones).of(value);
    }

    private static Optional<Datum> number(long value) {
        return Optional.of(new Datum.OfLong(value));
    }

    private static Optional<Datum> text(String value) {
        return Optional.of(Datum.ofText(value));
    }

    @ParameterizedTest
    @CsvSource({
        "tinyint, 127, true",
        "tinyint, 128, false",
        "tinyint, -129, false",
        "smallint, 32767, true",
        "smallint, -32769, false",
        "int, 2147483647, true",
        "int, 2147483648, false",
        "bigint, -9223372036854775808, true"
    })
    void wholeNumbersAreNullWhereTheyDoNotFit(String type, long value, boolean fits) {
        assertThat(read(leaf(PrimitiveTypeName.INT64, null), type, value))
                .isEqualTo(fits ? number(value) : Optional.empty());
    }

    @Test
    void unsignedIntegersAreRead() {
        PrimitiveType unsigned = leaf(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(32, false));
        assertThat(read(unsigned, "bigint", -1)).isEqualTo(number(0xFFFFFFFFL));
        assertThat(read(unsigned, "int", -1)).isEmpty();
    }

    @Test
    void numbersBecomeTexts() {
        assertThat(read(leaf(PrimitiveTypeName.INT32, null), "string", -7)).isEqualTo(text("-7"));
        assertThat(read(leaf(PrimitiveTypeName.INT32, null), "varchar(2)", 12345))
                .isEqualTo(text("12"));
        assertThat(read(leaf(PrimitiveTypeName.BOOLEAN, null), "string", true)).isEqualTo(text("true"));
        assertThat(read(leaf(PrimitiveTypeName.DOUBLE, null), "string", 1.5)).isEqualTo(text("1.5"));
        assertThat(read(decimal(PrimitiveTypeName.INT32, 9, 2), "string", 1250)).isEqualTo(text("12.5"));
    }

    @Test
    void fractionsAreNoWholeNumbers() {
        assertThat(read(leaf(PrimitiveTypeName.DOUBLE, null), "int", 3.0)).isEqualTo(number(3));
        assertThat(read(leaf(PrimitiveTypeName.DOUBLE, null), "int", 3.5)).isEmpty();
        assertThat(read(leaf(PrimitiveTypeName.DOUBLE, null), "int", Double.NaN))
                .isEmpty();
        assertThat(read(decimal(PrimitiveTypeName.INT32, 9, 2), "int", 300)).isEqualTo(number(3));
        assertThat(read(decimal(PrimitiveTypeName.INT32, 9, 2), "int", 301)).isEmpty();
    }

    /** Decimals of all physical types are rounded half up, and null where the digits do not suffice. */
    @Test
    void decimalsAreRescaled() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            int precision = 1 + random.nextInt(18);
            int scale = random.nextInt(precision + 1);
            int wantedPrecision = 1 + random.nextInt(38);
            int wantedScale = random.nextInt(wantedPrecision + 1);
            BigInteger limit = BigInteger.TEN.pow(precision);
            long unscaled = new BigInteger(60, random).mod(limit).longValue() * (random.nextBoolean() ? 1 : -1);
            BigDecimal expected = BigDecimal.valueOf(unscaled, scale).setScale(wantedScale, RoundingMode.HALF_UP);
            Optional<BigInteger> fitting =
                    expected.precision() > wantedPrecision ? Optional.empty() : Optional.of(expected.unscaledValue());
            String type = "decimal(" + wantedPrecision + "," + wantedScale + ")";
            String about = "seed " + seed + ": " + unscaled + " of scale " + scale + " as " + type;
            assertThat(unscaled(read(decimal(PrimitiveTypeName.INT64, precision, scale), type, unscaled)))
                    .as(about)
                    .isEqualTo(fitting);
            Binary bytes =
                    Binary.fromConstantByteArray(BigInteger.valueOf(unscaled).toByteArray());
            assertThat(unscaled(read(decimal(PrimitiveTypeName.BINARY, precision, scale), type, bytes)))
                    .as(about)
                    .isEqualTo(fitting);
            if (precision <= 9) {
                assertThat(unscaled(read(decimal(PrimitiveTypeName.INT32, precision, scale), type, (int) unscaled)))
                        .as(about)
                        .isEqualTo(fitting);
            }
        }
    }

    private static Optional<BigInteger> unscaled(Optional<Datum> value) {
        return value.map(datum -> switch (datum) {
            case Datum.OfLong v -> BigInteger.valueOf(v.value());
            case Datum.OfDecimal v -> v.unscaled();
            default -> throw new AssertionError("no decimal: " + datum);
        });
    }

    @Test
    void textsAreCutToTheirLength() {
        PrimitiveType leaf = leaf(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType());
        Binary umlauts = Binary.fromString("äöü  ");
        assertThat(read(leaf, "string", umlauts)).isEqualTo(text("äöü  "));
        assertThat(read(leaf, "varchar(2)", umlauts)).isEqualTo(text("äö"));
        assertThat(read(leaf, "varchar(5)", umlauts)).isEqualTo(text("äöü  "));
        assertThat(read(leaf, "char(10)", umlauts)).isEqualTo(text("äöü"));
        assertThat(read(leaf, "char(2)", Binary.fromString("a\uD83D\uDE00b"))).isEqualTo(text("a\uD83D\uDE00"));
    }

    @Test
    void instantsShowTheWallClockOfTheServer() {
        PrimitiveType instant =
                leaf(PrimitiveTypeName.INT64, LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS));
        // 2020-07-01T00:00:00.000005Z
        long micros = 1_593_561_600_000_005L;
        assertThat(read(instant, "timestamp", micros))
                .contains(new Datum.OfTimestamp(1_593_561_600L - 7 * 3600, 5_000));
        assertThat(read(instant, "timestamp with local time zone", micros))
                .contains(new Datum.OfTimestamp(1_593_561_600L, 5_000));
        assertThat(read(instant, "date", micros))
                .isEqualTo(number(LocalDate.of(2020, 6, 30).toEpochDay()));
        PrimitiveType clock =
                leaf(PrimitiveTypeName.INT64, LogicalTypeAnnotation.timestampType(false, TimeUnit.MILLIS));
        assertThat(read(clock, "timestamp", -1L)).contains(new Datum.OfTimestamp(-1, 999_000_000));
    }

    /** Nanoseconds of the day, then the Julian day, little-endian. */
    @Test
    void oldTimestampsCountFromTheJulianDay() {
        byte[] bytes = new byte[12];
        bytes[0] = 7;
        int julian = 2_440_589;
        for (int i = 0; i < 4; i++) {
            bytes[8 + i] = (byte) (julian >> 8 * i);
        }
        assertThat(read(leaf(PrimitiveTypeName.INT96, null), "timestamp", Binary.fromConstantByteArray(bytes)))
                .contains(new Datum.OfTimestamp(86_400, 7));
    }

    @Test
    void datesOfTheOldCalendarAreConverted() {
        PrimitiveType date = leaf(PrimitiveTypeName.INT32, LogicalTypeAnnotation.dateType());
        SqlType type = TypeParser.parse("date");
        FileZones old = new FileZones(FileZones.UTC, ZONE, false);
        // Day -141428 is 1582-10-04 of the Julian calendar, the day before 1582-10-15.
        assertThat(read(date, type, old, -141_428))
                .isEqualTo(number(LocalDate.of(1582, 10, 4).toEpochDay()));
        assertThat(read(date, type, old, -141_427)).isEqualTo(number(-141_427));
        assertThat(read(date, type, ZONES, -141_428)).isEqualTo(number(-141_428));
        assertThat(read(date, "string", 0)).isEqualTo(text("1970-01-01"));
    }

    @ParameterizedTest
    @CsvSource({"BOOLEAN, int", "INT32, boolean", "INT64, date", "DOUBLE, timestamp", "BINARY, int", "INT96, bigint"})
    void typesWithoutAConversionAreRefused(PrimitiveTypeName physical, String type) {
        assertThat(catchThrowableOfType(
                                SkepException.class,
                                () -> new LeafDatums(leaf(physical, null), TypeParser.parse(type), ZONES))
                        .code())
                .isEqualTo(StandardErrorCode.TYPE_MISMATCH);
    }

    /** Bounds are converted like values, so that conversions must keep the order, and say where they lose values. */
    @Test
    void conversionsKeepTheOrder() {
        String[] types = {"tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,0)", "decimal(20,3)"};
        PrimitiveType[] leaves = {
            leaf(PrimitiveTypeName.INT64, null),
            decimal(PrimitiveTypeName.INT64, 18, 0),
            decimal(PrimitiveTypeName.INT64, 12, 2),
            decimal(PrimitiveTypeName.INT64, 6, 6)
        };
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            PrimitiveType leaf = leaves[random.nextInt(leaves.length)];
            SqlType type = TypeParser.parse(types[random.nextInt(types.length)]);
            long one = value(random, leaf);
            long other = value(random, leaf);
            LeafDatums datums = new LeafDatums(leaf, type, ZONES);
            Optional<Datum> low = datums.of(Math.min(one, other));
            Optional<Datum> high = datums.of(Math.max(one, other));
            String about = "seed " + seed + ": " + one + ", " + other + " of " + leaf + " as " + type;
            if (!datums.losesValues()) {
                assertThat(low).as(about).isPresent();
                assertThat(high).as(about).isPresent();
            }
            if (low.isPresent() && high.isPresent()) {
                assertThat(asDouble(low.get())).as(about).isLessThanOrEqualTo(asDouble(high.get()));
            }
        }
    }

    private static long value(Random random, PrimitiveType leaf) {
        int bits = switch (leaf.getLogicalTypeAnnotation()) {
            case LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal -> (int) (3.3 * decimal.getPrecision());
            case null, default -> 63;
        };
        long value = random.nextLong() >>> 64 - random.nextInt(1, bits + 1);
        return random.nextBoolean() ? value : -value;
    }

    private static double asDouble(Datum value) {
        return switch (value) {
            case Datum.OfLong v -> v.value();
            case Datum.OfDouble v -> v.value();
            case Datum.OfDecimal v -> v.unscaled().doubleValue();
            default -> throw new AssertionError("no number: " + value);
        };
    }
}
