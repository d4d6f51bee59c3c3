package io.skep.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.rows.RowEquality;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** For each type of key, the filter passes all keys and drops nearly all other values. */
class TestKeyFilter {
    static final List<SqlType> TYPES = List.of(
            PrimitiveType.BOOLEAN,
            PrimitiveType.TINYINT,
            PrimitiveType.INT,
            PrimitiveType.BIGINT,
            PrimitiveType.DATE,
            PrimitiveType.FLOAT,
            PrimitiveType.DOUBLE,
            PrimitiveType.STRING,
            PrimitiveType.BINARY,
            new VarcharType(20),
            new CharType(20),
            new DecimalType(10, 2),
            new DecimalType(38, 3),
            PrimitiveType.TIMESTAMP,
            PrimitiveType.TIMESTAMP_LOCAL_TZ);

    @ParameterizedTest
    @FieldSource("TYPES")
    void letsEveryKeyThroughAndFewOthers(SqlType type) {
        long seed = 20261121L + type.hashCode();
        Random random = new Random(seed);
        for (int keyCount : new int[] {1, 7, 40, 5000}) {
            List<Datum> keys = data(random, type, keyCount, 0);
            List<Datum> others = data(random, type, 3000, 0.1);
            others.addAll(keys);
            Vector build = vector(keys, type);
            Vector probe = vector(others, type);
            KeyFilter filter = KeyFilterBuilder.of(build, keyCount, type);
            int[] rows = identity(others.size());
            int kept = filter.retain(probe, rows, rows.length);
            boolean[] through = new boolean[rows.length];
            for (int i = 0; i < kept; i++) {
                assertThat(i == 0 || rows[i - 1] < rows[i]).isTrue();
                through[rows[i]] = true;
            }
            int wrong = 0;
            for (int row = 0; row < through.length; row++) {
                boolean key = isKey(probe, row, build);
                assertThat(!key || through[row])
                        .as("seed %d, %s row %d", seed, type, row)
                        .isTrue();
                assertThat(!probe.isNull(row) || !through[row]).isTrue();
                wrong += through[row] && !key ? 1 : 0;
            }
            assertThat(wrong).isLessThan(150);
            boundsHold(filter, keys, type);
        }
    }

    private static void boundsHold(KeyFilter filter, List<Datum> keys, SqlType type) {
        for (ColumnPredicate predicate : filter.predicates(3)) {
            assertThat(predicate.column()).isEqualTo(3);
            for (Datum key : keys) {
                var only = new ColumnBounds(
                        java.util.Optional.of(key), java.util.Optional.of(key), false, true, other -> true);
                assertThat(only.mayMatch(predicate)).as("%s of %s", key, type).isTrue();
            }
        }
    }

    private static boolean isKey(Vector probe, int row, Vector build) {
        for (int i = 0; i < build.length() && !probe.isNull(row); i++) {
            if (RowEquality.equal(probe, row, build, i)) {
                return true;
            }
        }
        return false;
    }

    private static List<Datum> data(Random random, SqlType type, int count, double nulls) {
        List<Datum> data = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            data.add(random.nextDouble() < nulls ? Datum.NULL : datum(random, type));
        }
        return data;
    }

    private static Datum datum(Random random, SqlType type) {
        return switch (type.vectorKind()) {
            case LONG -> new Datum.OfLong(whole(random, type));
            case DOUBLE -> new Datum.OfDouble(random.nextInt(1_000_000) / 8.0 - 40_000);
            case BYTES -> Datum.ofText("key " + random.nextInt(1_000_000));
            case DECIMAL128 ->
                new Datum.OfDecimal(
                        BigInteger.valueOf(random.nextInt()).multiply(BigInteger.TEN.pow(random.nextInt(25))));
            case TIMESTAMP -> new Datum.OfTimestamp(random.nextInt(), random.nextInt(1_000_000_000));
            default -> throw new IllegalArgumentException(type.displayName());
        };
    }

    private static long whole(Random random, SqlType type) {
        if (type == PrimitiveType.BOOLEAN) {
            return random.nextInt(2);
        }
        if (type == PrimitiveType.TINYINT) {
            return (byte) random.nextInt();
        }
        return type == PrimitiveType.BIGINT ? random.nextLong() : random.nextInt(3_000_000) - 1_000_000;
    }

    private static Vector vector(List<Datum> data, SqlType type) {
        VectorAppender appender = VectorAppender.of(type);
        data.forEach(datum -> datum.appendTo(appender, type));
        return appender.build();
    }

    private static int[] identity(int count) {
        return IntStream.range(0, count).toArray();
    }

    private static List<Integer> passing(KeyFilter filter, Vector probe) {
        int[] rows = identity(probe.length());
        int kept = filter.retain(probe, rows, rows.length);
        return IntStream.of(rows).limit(kept).boxed().toList();
    }

    @Test
    void withoutKeysNothingPasses() {
        Vector nulls = vector(List.of(Datum.NULL, Datum.NULL), PrimitiveType.INT);
        for (KeyFilter filter : List.of(
                KeyFilterBuilder.of(nulls, 2, PrimitiveType.INT),
                KeyFilterBuilder.of(vector(List.of(), PrimitiveType.STRING), 0, PrimitiveType.STRING))) {
            assertThat(filter.matchesNothing()).isTrue();
            assertThat(passing(filter, vector(List.of(new Datum.OfLong(0)), PrimitiveType.INT)))
                    .isEmpty();
            assertThat(ColumnBounds.UNKNOWN.mayMatch(filter.predicates(0).getFirst()))
                    .isFalse();
        }
    }

    @Test
    void nullsOfTheBuildSideAreNoKeys() {
        Vector keys = vector(List.of(Datum.NULL, new Datum.OfLong(5), Datum.NULL), PrimitiveType.BIGINT);
        KeyFilter filter = KeyFilterBuilder.of(keys, 3, PrimitiveType.BIGINT);
        Vector probe = vector(List.of(new Datum.OfLong(0), Datum.NULL, new Datum.OfLong(5)), PrimitiveType.BIGINT);
        assertThat(passing(filter, probe)).containsExactly(2);
        assertThat(filter.predicates(1)).containsExactly(new ColumnPredicate.In(1, List.of(new Datum.OfLong(5))));
    }

    @Test
    void zerosAreAlikeAndNaNIsItself() {
        Vector keys = vector(List.of(new Datum.OfDouble(-0.0), new Datum.OfDouble(Double.NaN)), PrimitiveType.DOUBLE);
        KeyFilter filter = KeyFilterBuilder.of(keys, 2, PrimitiveType.DOUBLE);
        double otherNaN = Double.longBitsToDouble(0x7ff8000000000123L);
        List<Datum> probe = new ArrayList<>();
        for (double value : new double[] {0.0, -0.0, Double.NaN, otherNaN, 1.5}) {
            probe.add(new Datum.OfDouble(value));
        }
        assertThat(passing(filter, vector(probe, PrimitiveType.DOUBLE))).containsExactly(0, 1, 2, 3);
        assertThat(filter.predicates(0)).as("statistics do not tell of NaN").isEmpty();
    }

    @Test
    void longsAtBothEnds() {
        Vector keys = vector(
                List.of(new Datum.OfLong(Long.MIN_VALUE), new Datum.OfLong(Long.MAX_VALUE)), PrimitiveType.BIGINT);
        KeyFilter filter = KeyFilterBuilder.of(keys, 2, PrimitiveType.BIGINT);
        Vector probe = vector(
                List.of(new Datum.OfLong(Long.MAX_VALUE), new Datum.OfLong(3), new Datum.OfLong(Long.MIN_VALUE)),
                PrimitiveType.BIGINT);
        assertThat(passing(filter, probe)).containsExactly(0, 2);
    }

    @Test
    void valuesOutsideOfABitmap() {
        Vector keys = vector(
                List.of(new Datum.OfLong(Long.MAX_VALUE), new Datum.OfLong(Long.MAX_VALUE - 70)), PrimitiveType.BIGINT);
        KeyFilter filter = KeyFilterBuilder.of(keys, 2, PrimitiveType.BIGINT);
        List<Datum> probe = new ArrayList<>();
        for (long value : new long[] {
            Long.MIN_VALUE, Long.MIN_VALUE + 57, -1, Long.MAX_VALUE - 71, Long.MAX_VALUE - 70, Long.MAX_VALUE
        }) {
            probe.add(new Datum.OfLong(value));
        }
        assertThat(passing(filter, vector(probe, PrimitiveType.BIGINT))).containsExactly(4, 5);
    }

    @Test
    void encodedColumns() {
        Vector keys = vector(List.of(Datum.ofText("b"), Datum.ofText("c")), PrimitiveType.STRING);
        KeyFilter filter = KeyFilterBuilder.of(keys, 2, PrimitiveType.STRING);
        Vector entries = vector(
                List.of(Datum.ofText("a"), Datum.ofText("b"), Datum.ofText("c"), Datum.ofText("d")),
                PrimitiveType.STRING);
        long[] lastIsNull = {1 << 4};
        assertThat(passing(filter, new DictionaryVector(new int[] {2, 0, 1, 3, 0}, entries, lastIsNull, 5)))
                .containsExactly(0, 2);
        assertThat(passing(filter, new DictionaryVector(new int[] {1, 3}, entries, null, 2)))
                .as("a dictionary of more entries than rows")
                .containsExactly(0);
        assertThat(passing(filter, new ConstantVector(entries.slice(1, 1), 3))).containsExactly(0, 1, 2);
        assertThat(passing(filter, new ConstantVector(entries.slice(3, 1), 3))).isEmpty();
        Vector noText = vector(List.of(Datum.NULL), PrimitiveType.STRING);
        assertThat(passing(filter, new ConstantVector(noText, 3))).isEmpty();
    }

    @Test
    void neverTakesMoreThanItSaid() {
        Random random = new Random(8);
        for (SqlType type : TYPES) {
            for (int rows : new int[] {1, 100, 20_000}) {
                KeyFilter filter = KeyFilterBuilder.of(vector(data(random, type, rows, 0.2), type), rows, type);
                assertThat(filter.retainedBytes()).isLessThanOrEqualTo(KeyFilterBuilder.maxBytes(rows));
            }
        }
    }
}
