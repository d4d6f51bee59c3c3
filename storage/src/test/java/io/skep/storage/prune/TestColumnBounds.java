package io.skep.storage.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.storage.scan.ColumnPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests whether rows with known bounds may match a condition. */
final class TestColumnBounds {
    private static final long SEED = 32;

    private static ColumnBounds bounds(long min, long max, Predicate<Datum> mayContain) {
        return new ColumnBounds(
                Optional.of(new Datum.OfLong(min)), Optional.of(new Datum.OfLong(max)), true, true, mayContain);
    }

    private static ColumnPredicate.In in(long... values) {
        return new ColumnPredicate.In(
                0,
                LongStream.of(values)
                        .mapToObj(value -> (Datum) new Datum.OfLong(value))
                        .toList());
    }

    /**
     * A million values and as many strides as in a large file. Testing them one by one would keep a shared thread busy
     * for minutes.
     */
    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongListIsNotLookedAtOneByOne() {
        ColumnPredicate.In even =
                in(LongStream.range(0, 1_000_000).map(i -> i * 2).toArray());
        int matched = 0;
        for (int stride = 0; stride < 100_000; stride++) {
            matched += bounds(stride * 2 + 1, stride * 2 + 1, value -> true).mayMatch(even) ? 1 : 0;
        }
        assertThat(matched).isZero();
    }

    /**
     * The number of values tested against a Bloom filter is limited, so that the test does not cost more than reading
     * the rows.
     */
    @Test
    void manyValuesWithinTheBoundsAreTakenForAHit() {
        ColumnBounds absent = bounds(0, 1_000_000, value -> false);
        assertThat(absent.mayMatch(in(LongStream.range(0, 1000).toArray()))).isFalse();
        assertThat(absent.mayMatch(in(LongStream.range(0, 1001).toArray()))).isTrue();
        assertThat(absent.mayMatch(in(LongStream.range(1_000_000, 3_000_000).toArray())))
                .isFalse();
    }

    @Test
    void sortedListsAnswerAsOneByOne() {
        Random random = new Random(SEED);
        for (int i = 0; i < 2000; i++) {
            long[] values = random.longs(random.nextInt(6), -5, 6).toArray();
            long min = random.nextInt(-6, 7);
            long max = min + random.nextInt(3);
            Predicate<Datum> bloom = value -> ((Datum.OfLong) value).value() % 2 == 0;
            boolean plain = LongStream.of(values).anyMatch(value -> value >= min && value <= max && value % 2 == 0);
            assertThat(bounds(min, max, bloom).mayMatch(in(values)))
                    .as("seed %d, round %d", SEED, i)
                    .isEqualTo(plain);
            boolean open = LongStream.of(values).anyMatch(value -> value <= max && value % 2 == 0);
            ColumnBounds half =
                    new ColumnBounds(Optional.empty(), Optional.of(new Datum.OfLong(max)), true, true, bloom);
            assertThat(half.mayMatch(in(values))).isEqualTo(open);
        }
    }

    @Test
    void nullsMatchNothingAndUnorderedValuesAnything() {
        List<Datum> values = new ArrayList<>(List.of(Datum.NULL, new Datum.OfLong(9), new Datum.OfLong(1)));
        assertThat(bounds(2, 8, value -> true).mayMatch(new ColumnPredicate.In(0, values)))
                .isFalse();
        values.add(new Datum.OfLong(5));
        assertThat(bounds(2, 8, value -> true).mayMatch(new ColumnPredicate.In(0, values)))
                .isTrue();
        assertThat(bounds(2, 8, value -> true).mayMatch(new ColumnPredicate.In(0, List.of(Datum.NULL))))
                .isFalse();
        List<Datum> doubles = List.of(new Datum.OfDouble(Double.NaN), new Datum.OfDouble(1));
        ColumnBounds above = new ColumnBounds(
                Optional.of(new Datum.OfDouble(2)), Optional.of(new Datum.OfDouble(3)), false, true, value -> true);
        assertThat(above.mayMatch(new ColumnPredicate.In(0, doubles))).isTrue();
        assertThat(above.mayMatch(new ColumnPredicate.In(0, doubles.subList(1, 2))))
                .isFalse();
        // Values of another form than the bounds allow no conclusion.
        assertThat(above.mayMatch(in(1))).isTrue();
    }
}
