package io.skep.storage.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares estimated fractions of values below a bound with counted ones. */
class TestHistogram {
    private static final int BATCH = 1024;
    /** The error of the sample plus that of the sketch. */
    private static final double ERROR = 0.04;

    private static Histogram histogram(SqlType type, List<Vector> vectors) {
        ColumnSummarizer summarizer = ColumnSummarizer.of(type);
        vectors.forEach(summarizer::add);
        return summarizer.summary().histogram().orElseThrow();
    }

    private static List<Vector> batches(long[] values) {
        List<Vector> batches = new ArrayList<>();
        for (int from = 0; from < values.length; from += BATCH) {
            long[] batch = Arrays.copyOfRange(values, from, Math.min(values.length, from + BATCH));
            batches.add(longs(batch));
        }
        return batches;
    }

    private static Vector longs(long... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.BIGINT);
        for (long value : values) {
            appender.appendLong(value);
        }
        return appender.build();
    }

    private static void isLike(Histogram histogram, long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        assertThat((double) histogram.values()).isCloseTo(values.length, within(0.05 * values.length));
        for (int percent = 5; percent < 100; percent += 10) {
            long bound = sorted[(int) (values.length * (percent / 100.0))];
            long below = Arrays.stream(sorted).filter(value -> value < bound).count();
            long upTo = Arrays.stream(sorted).filter(value -> value <= bound).count();
            assertThat(histogram.below((double) bound, false))
                    .as("below %s", bound)
                    .isCloseTo((double) below / values.length, within(ERROR));
            assertThat(histogram.below((double) bound, true))
                    .as("up to %s", bound)
                    .isCloseTo((double) upTo / values.length, within(ERROR));
        }
    }

    @Test
    void ofFewValuesIsExact() {
        Histogram histogram = histogram(PrimitiveType.INT, List.of(longs(1, 2, 2, 3), longs(10)));
        assertThat(histogram.values()).isEqualTo(5);
        assertThat(histogram.below(2, false)).isEqualTo(0.2);
        assertThat(histogram.below(2, true)).isEqualTo(0.6);
        assertThat(histogram.below(11, false)).isEqualTo(1);
        assertThat(histogram.below(0, true)).isZero();
    }

    @Test
    void ofManyValuesInAnyOrder() {
        Random random = new Random(7);
        long[] skewed = random.longs(600_000)
                .map(value -> (long) Math.exp((value >>> 11) * 0x1p-53 * 12))
                .toArray();
        isLike(histogram(PrimitiveType.BIGINT, batches(skewed)), skewed);
        long[] ascending = new long[600_000];
        Arrays.setAll(ascending, i -> i);
        isLike(histogram(PrimitiveType.BIGINT, batches(ascending)), ascending);
        long[] periodic = new long[600_000];
        Arrays.setAll(periodic, i -> i % 64);
        isLike(histogram(PrimitiveType.BIGINT, batches(periodic)), periodic);
    }

    @Test
    void repeatedValuesCountAsOften() {
        DictionaryVector dictionary = new DictionaryVector(ids(), longs(5, 6, 7), null, BATCH);
        Histogram histogram = histogram(
                PrimitiveType.BIGINT,
                List.of(new ConstantVector(longs(5), 300_000), dictionary, new ConstantVector(longs(9), 100_000)));
        assertThat(histogram.below(5, true)).isCloseTo(0.75, within(ERROR));
        assertThat(histogram.below(8, true)).isCloseTo(0.75, within(ERROR));
        assertThat(histogram.below(9, true)).isEqualTo(1);
    }

    private static int[] ids() {
        int[] ids = new int[BATCH];
        Arrays.setAll(ids, i -> i % 3);
        return ids;
    }

    @Test
    void nullsAndWhatIsNoNumberAreLeftOut() {
        VectorAppender appender = VectorAppender.of(PrimitiveType.DOUBLE);
        for (double value : new double[] {1, Double.NaN, 2, Double.POSITIVE_INFINITY, 3}) {
            appender.appendDouble(value);
            appender.appendNull();
        }
        Histogram histogram = histogram(PrimitiveType.DOUBLE, List.of(appender.build()));
        assertThat(histogram.values()).isEqualTo(3);
        assertThat(histogram.below(2, true)).isCloseTo(2.0 / 3, within(1e-6));
        VectorAppender nulls = VectorAppender.of(PrimitiveType.INT);
        nulls.appendNull();
        ColumnSummarizer summarizer = ColumnSummarizer.of(PrimitiveType.INT);
        summarizer.add(nulls.build());
        assertThat(summarizer.summary().histogram()).isEmpty();
    }

    @Test
    void typesHaveTheirPlaces() {
        assertThat(Histogram.supports(PrimitiveType.STRING)).isFalse();
        assertThat(Histogram.supports(PrimitiveType.BOOLEAN)).isFalse();
        assertThat(Histogram.position(new Datum.OfLong(2), PrimitiveType.DATE)).isEqualTo(OptionalDouble.of(172_800));
        assertThat(Histogram.position(new Datum.OfLong(150), new DecimalType(10, 2)))
                .isEqualTo(OptionalDouble.of(1.5));
        assertThat(Histogram.position(new Datum.OfDecimal(BigInteger.valueOf(1500)), new DecimalType(38, 3)))
                .isEqualTo(OptionalDouble.of(1.5));
        assertThat(Histogram.position(new Datum.OfTimestamp(7, 500_000_000), PrimitiveType.TIMESTAMP))
                .isEqualTo(OptionalDouble.of(7.5));
        assertThat(Histogram.position(Datum.NULL, PrimitiveType.INT)).isEmpty();
        Histogram dates = histogram(PrimitiveType.DATE, List.of(longs(1, 2, 3, 4)));
        assertThat(dates.below(3 * 86_400, false)).isEqualTo(0.5);
        Histogram decimals = histogram(new DecimalType(10, 2), List.of(longs(100, 200, 300, 400)));
        assertThat(decimals.below(2.5, false)).isEqualTo(0.5);
    }

    @Test
    void partsOfDifferentSizeCountByTheirValues() {
        long[] many = new long[300_000];
        Arrays.setAll(many, i -> i % 100);
        Histogram merged = histogram(PrimitiveType.BIGINT, batches(many))
                .merge(histogram(PrimitiveType.BIGINT, List.of(new ConstantVector(longs(1000), 100_000))));
        assertThat(merged.below(500, false)).isCloseTo(0.75, within(ERROR));
        assertThat((double) merged.values()).isCloseTo(400_000, within(20_000.0));
        Histogram same = new Histogram(merged.bytes());
        assertThat(same).isEqualTo(merged).hasSameHashCodeAs(merged);
    }

    /** The merged summaries of the parts must equal one summary of all rows. */
    @Test
    void summariesMerge() {
        ColumnSummarizer left = ColumnSummarizer.of(PrimitiveType.INT);
        ColumnSummarizer right = ColumnSummarizer.of(PrimitiveType.INT);
        left.add(longs(1, 2));
        right.add(longs(3, 4));
        ColumnSummarizer none = ColumnSummarizer.of(PrimitiveType.INT);
        Histogram merged = left.summary()
                .merge(none.summary())
                .merge(right.summary())
                .histogram()
                .orElseThrow();
        assertThat(merged.below(3, false)).isEqualTo(0.5);
    }
}
