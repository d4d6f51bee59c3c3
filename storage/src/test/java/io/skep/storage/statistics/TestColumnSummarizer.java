package io.skep.storage.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hive.common.ndv.hll.HyperLogLog;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares sketches with those that Hive's class builds from the same values. */
final class TestColumnSummarizer {
    private final HyperLogLog hive = HyperLogLog.builder().setSizeOptimized().build();

    private static ColumnSummary summary(SqlType type, Vector... vectors) {
        ColumnSummarizer summarizer = ColumnSummarizer.of(type);
        for (Vector vector : vectors) {
            summarizer.add(vector);
        }
        assertThat(summarizer.retainedBytes()).isPositive();
        return summarizer.summary();
    }

    private static Vector vector(SqlType type, List<Datum> values) {
        VectorAppender appender = VectorAppender.of(type);
        values.forEach(value -> append(appender, value));
        return appender.build();
    }

    private static void append(VectorAppender appender, Datum datum) {
        switch (datum) {
            case Datum.OfLong value -> appender.appendLong(value.value());
            case Datum.OfBytes value -> appender.appendBytes(value.value(), 0, value.value().length);
            case Datum.OfDecimal value ->
                appender.appendDecimal128(
                        value.unscaled().shiftRight(64).longValue(),
                        value.unscaled().longValue());
            case Datum.OfTimestamp value -> appender.appendTimestamp(value.seconds(), value.nanos());
            default -> appender.appendNull();
        }
    }

    private void assertSketch(ColumnSummary summary) {
        assertThat(summary.distinct()).contains(new DistinctSketch(hive.serialize()));
        assertThat(summary.distinct().orElseThrow().estimate()).isEqualTo(hive.estimateNumDistinctValues());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 153, 154, 155, 200, 1000, 50_000})
    void integersAreSketchedAsByHive(int distinct) {
        long[] values = new long[distinct * 2];
        Random random = new Random(distinct);
        for (int i = 0; i < distinct; i++) {
            values[i] = random.nextLong();
            values[distinct + i] = values[i];
            hive.addLong(values[i]);
        }
        ColumnSummary summary = summary(PrimitiveType.BIGINT, new LongVector(values, null, values.length));
        assertSketch(summary);
        assertThat(summary.low())
                .contains(new Datum.OfLong(java.util.Arrays.stream(values).min().orElseThrow()));
        assertThat(summary.high())
                .contains(new Datum.OfLong(java.util.Arrays.stream(values).max().orElseThrow()));
    }

    @Test
    void zeroIsAValue() {
        hive.addLong(0);
        ColumnSummary summary = summary(PrimitiveType.INT, new LongVector(new long[] {0, 0}, null, 2));
        assertSketch(summary);
        assertThat(summary.low()).contains(new Datum.OfLong(0));
    }

    @Test
    void textHasLengthsInCharacters() {
        List<String> texts = List.of("", "abc", "größer als acht Zeichen", "日本語のテキスト、長い", "😀", "abc");
        texts.forEach(hive::addString);
        Vector vector =
                vector(PrimitiveType.STRING, texts.stream().map(Datum::ofText).toList());
        ColumnSummary summary = summary(PrimitiveType.STRING, vector, vector(new CharType(3), List.of(Datum.NULL)));
        assertSketch(summary);
        assertThat(summary.rows()).isEqualTo(7);
        assertThat(summary.nulls()).isEqualTo(1);
        assertThat(summary.maxLength()).isEqualTo(23);
        assertThat(summary.totalLength())
                .isEqualTo(texts.stream()
                        .mapToLong(text -> text.codePointCount(0, text.length()))
                        .sum());
    }

    @Test
    void binaryHasLengthsInBytesAndNoSketch() {
        ColumnSummary summary =
                summary(PrimitiveType.BINARY, vector(PrimitiveType.BINARY, List.of(Datum.ofText("é"), Datum.NULL)));
        assertThat(summary)
                .isEqualTo(new ColumnSummary(
                        2, 1, Optional.empty(), Optional.empty(), 2, 2, 0, 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void booleansAreCounted() {
        Vector flat = new LongVector(new long[] {1, 0, 1}, null, 3);
        Vector constant = new ConstantVector(new LongVector(new long[] {1}, null, 1), 5);
        long[] nulls = new long[1];
        NullMask.set(nulls, 1);
        Vector dictionary =
                new DictionaryVector(new int[] {1, 0, 1, 0}, new LongVector(new long[] {1, 0}, null, 2), nulls, 4);
        assertThat(summary(PrimitiveType.BOOLEAN, flat, constant, dictionary))
                .isEqualTo(new ColumnSummary(
                        12, 1, Optional.empty(), Optional.empty(), 0, 0, 8, 3, Optional.empty(), Optional.empty()));
    }

    @Test
    void decimalsAreSketchedAsByHive() {
        List<BigInteger> unscaled = List.of(
                BigInteger.ZERO,
                BigInteger.valueOf(1234),
                BigInteger.valueOf(-987_654_321_987_654_321L),
                BigInteger.valueOf(9_007_199_254_740_993L),
                new BigInteger("12345678901234567890123456789"));
        DecimalType wide = new DecimalType(38, 10);
        unscaled.forEach(value -> hive.addToEstimator(HiveDecimal.create(new BigDecimal(value, 10))));
        ColumnSummary summary = summary(
                wide,
                vector(
                        wide,
                        unscaled.stream()
                                .map(value -> (Datum) new Datum.OfDecimal(value))
                                .toList()));
        assertSketch(summary);
        assertThat(summary.low()).contains(new Datum.OfDecimal(unscaled.get(2)));
        assertThat(summary.high()).contains(new Datum.OfDecimal(unscaled.get(4)));
    }

    @Test
    void shortDecimalsAreSketchedAsByHive() {
        long[] values = new long[5000];
        Random random = new Random(7);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L) >> random.nextInt(60);
            hive.addToEstimator(HiveDecimal.create(BigDecimal.valueOf(values[i], 7)));
        }
        assertSketch(summary(new DecimalType(18, 7), new LongVector(values, null, values.length)));
    }

    @Test
    void boundsOfDoublesAreFinite() {
        double[] values = {Double.NaN, 1.5, Double.NEGATIVE_INFINITY, -2};
        for (double value : values) {
            hive.addDouble(value);
        }
        ColumnSummary summary = summary(PrimitiveType.DOUBLE, new DoubleVector(values, null, 4));
        assertSketch(summary);
        assertThat(summary.low()).contains(new Datum.OfDouble(-2));
        assertThat(summary.high()).contains(new Datum.OfDouble(1.5));
        assertThat(summary(PrimitiveType.DOUBLE, new DoubleVector(new double[] {Double.NaN}, null, 1))
                        .low())
                .isEmpty();
    }

    @Test
    void timestampsAreSketchedInSeconds() {
        hive.addLong(5);
        hive.addLong(-1);
        Vector vector = vector(
                PrimitiveType.TIMESTAMP,
                List.of(new Datum.OfTimestamp(5, 1), new Datum.OfTimestamp(5, 9), new Datum.OfTimestamp(-1, 3)));
        ColumnSummary summary = summary(PrimitiveType.TIMESTAMP, vector);
        assertSketch(summary);
        assertThat(summary.low()).contains(new Datum.OfTimestamp(-1, 3));
        assertThat(summary.high()).contains(new Datum.OfTimestamp(5, 9));
    }

    @Test
    void encodedVectorsGiveWhatFlatOnesGive() {
        Vector entries =
                vector(PrimitiveType.STRING, List.of(Datum.ofText("a"), Datum.ofText("unused"), Datum.ofText("bcd")));
        long[] nulls = new long[1];
        NullMask.set(nulls, 3);
        Vector dictionary = new DictionaryVector(new int[] {0, 2, 2, 0, 0}, entries, nulls, 5);
        Vector sparse = new DictionaryVector(new int[] {2}, entries, null, 1);
        Vector constant = new ConstantVector(((BytesVector) entries).slice(0, 1), 3);
        ColumnSummary encoded = summary(PrimitiveType.STRING, dictionary, sparse, constant);
        assertThat(encoded)
                .isEqualTo(summary(PrimitiveType.STRING, dictionary.flatten(), sparse.flatten(), constant.flatten()));
        assertThat(encoded.distinct().orElseThrow().estimate()).isEqualTo(2);
        assertThat(encoded.totalLength()).isEqualTo(14);
    }

    @Test
    void partsMergeToTheWhole() {
        long[] values = new Random(3).longs(3000).toArray();
        Vector whole = new LongVector(values, null, values.length);
        ColumnSummary merged = summary(PrimitiveType.BIGINT, whole.slice(0, 100))
                .merge(summary(PrimitiveType.BIGINT, whole.slice(100, 2900)))
                .merge(summary(PrimitiveType.BIGINT));
        ColumnSummary expected = summary(PrimitiveType.BIGINT, whole);
        assertThat(merged)
                .usingRecursiveComparison()
                .ignoringFields("distinct", "histogram")
                .isEqualTo(expected);
        assertThat(merged.distinct().orElseThrow().estimate())
                .isEqualTo(expected.distinct().orElseThrow().estimate());
    }

    @Test
    void noRowsHaveNoSketch() {
        assertThat(summary(PrimitiveType.INT))
                .isEqualTo(new ColumnSummary(
                        0, 0, Optional.empty(), Optional.empty(), 0, 0, 0, 0, Optional.empty(), Optional.empty()));
        ColumnSummary nulls = summary(PrimitiveType.INT, vector(PrimitiveType.INT, List.of(Datum.NULL)));
        assertThat(nulls.distinct().orElseThrow().estimate()).isEqualTo(1);
        assertThat(nulls.low()).isEmpty();
    }

    @Test
    void nestedTypesHaveNone() {
        assertThat(ColumnSummarizer.supports(new ArrayType(PrimitiveType.INT))).isFalse();
        assertThat(ColumnSummarizer.supports(PrimitiveType.TIMESTAMP_LOCAL_TZ)).isFalse();
        assertThatThrownBy(() -> ColumnSummarizer.of(new ArrayType(PrimitiveType.INT)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
