package io.skep.engine.function;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Creates vectors of random values of any type: nulls, extremes, small values that collide, and ordinary values. */
public final class RandomVectors {
    private static final String[] TEXTS = {
        "",
        " ",
        "a",
        "ab",
        "abc",
        "ABC",
        " 12 ",
        "12",
        "-7.5",
        "1e3",
        "+5",
        "0",
        "true",
        "FALSE",
        "no",
        "2020-02-29",
        "2020-1-2",
        "2020-01-02 03:04:05",
        "2020-01-02 03:04:05.123456789",
        "x",
        "é",
        "日本語",
        "😀b",
        "a%b",
        "a_b",
        "NaN",
        "Infinity",
        "-Infinity",
        "1.10",
        "99999999999999999999",
        "1969-12-31 23:59:59.9",
        "0.0",
        ".5",
        "5.",
        "0001-01-01",
        "9999-12-31",
        "2020-02-30",
        "2020-01-02x",
        "hello world",
        "aXbXc",
        "\t9\n"
    };
    private static final double[] DOUBLES = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        1.5,
        2.5,
        -2.5,
        1e10,
        1e-7,
        123456.789,
        1e20,
        -1e20,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MAX_VALUE,
        Double.MIN_VALUE,
        0.1,
        9007199254740992.0,
        1e38
    };

    private final Random random;

    public RandomVectors(long seed) {
        this.random = new Random(seed);
    }

    public Vector vector(SqlType type, int rows) {
        return vector(type, rows, 0.15);
    }

    public Vector vector(SqlType type, int rows, double nullRatio) {
        VectorAppender appender = VectorAppender.of(type);
        for (int i = 0; i < rows; i++) {
            Datum value = random.nextDouble() < nullRatio ? Datum.NULL : value(type);
            value.appendTo(appender, type);
        }
        return appender.build();
    }

    public Datum value(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive -> primitive(primitive);
            case DecimalType decimal -> decimal(decimal);
            case CharType text -> Datum.ofText(cut(text(), text.length()).stripTrailing());
            case VarcharType text -> Datum.ofText(cut(text(), text.length()));
            case ArrayType array -> new Datum.OfList(values(array.element(), random.nextInt(4)));
            case MapType map -> {
                Set<Datum> keys = new LinkedHashSet<>(values(map.key(), random.nextInt(4)));
                keys.remove(Datum.NULL);
                yield new Datum.OfMap(List.copyOf(keys), values(map.value(), keys.size()));
            }
            case StructType struct ->
                new Datum.OfList(struct.fields().stream()
                        .map(field -> random.nextInt(5) == 0 ? Datum.NULL : value(field.type()))
                        .toList());
            case UnionType union -> {
                int tag = random.nextInt(union.alternatives().size());
                yield new Datum.OfUnion(tag, value(union.alternatives().get(tag)));
            }
        };
    }

    private List<Datum> values(SqlType type, int count) {
        List<Datum> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(random.nextInt(5) == 0 ? Datum.NULL : value(type));
        }
        return values;
    }

    private Datum primitive(PrimitiveType type) {
        return switch (type) {
            case VOID -> Datum.NULL;
            case BOOLEAN -> Datum.ofBoolean(random.nextBoolean());
            case TINYINT -> new Datum.OfLong((byte) integer());
            case SMALLINT -> new Datum.OfLong((short) integer());
            case INT -> new Datum.OfLong((int) integer());
            case BIGINT -> new Datum.OfLong(integer());
            case FLOAT -> new Datum.OfDouble((float) real());
            case DOUBLE -> new Datum.OfDouble(real());
            case STRING -> Datum.ofText(text());
            case BINARY -> Datum.ofText(text());
            case DATE -> new Datum.OfLong(day());
            case TIMESTAMP, TIMESTAMP_LOCAL_TZ ->
                new Datum.OfTimestamp(day() * 86400L + random.nextInt(86400), nanos());
            case INTERVAL_YEAR_MONTH -> new Datum.OfLong(random.nextInt(-500, 500));
            case INTERVAL_DAY_TIME -> new Datum.OfTimestamp(random.nextLong(-100_000_000, 100_000_000), nanos());
        };
    }

    private long integer() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(-3, 4);
            case 1 -> random.nextInt(-200, 200);
            case 2 -> random.nextInt();
            case 3 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            case 4 -> random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            default -> random.nextLong();
        };
    }

    private double real() {
        return switch (random.nextInt(4)) {
            case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 1 -> random.nextInt(-100, 100) / 4.0;
            case 2 -> random.nextGaussian() * 1e6;
            default -> Double.longBitsToDouble(random.nextLong());
        };
    }

    private String text() {
        return random.nextInt(4) == 0
                ? String.valueOf(random.nextInt(-1000, 1000))
                : TEXTS[random.nextInt(TEXTS.length)];
    }

    private static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length));
    }

    private int day() {
        return random.nextInt(3) == 0 ? random.nextInt(-719162, 2932896) : random.nextInt(-1000, 25000);
    }

    private int nanos() {
        return switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1000) * 1_000_000;
            default -> random.nextInt(1_000_000_000);
        };
    }

    private Datum decimal(DecimalType type) {
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        BigInteger value = switch (random.nextInt(4)) {
            case 0 -> BigInteger.valueOf(random.nextInt(-300, 300));
            case 1 -> limit.subtract(BigInteger.ONE);
            case 2 -> limit.subtract(BigInteger.ONE).negate();
            default -> new BigInteger(limit.bitLength() + 1, random).mod(limit);
        };
        value = value.remainder(limit);
        value = random.nextBoolean() ? value.negate() : value;
        return type.isShort() ? new Datum.OfLong(value.longValue()) : new Datum.OfDecimal(value);
    }
}
