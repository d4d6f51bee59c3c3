package io.skep.metastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.statistics.ColumnSummarizer;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.util.List;
import java.util.Optional;
import org.apache.datasketches.kll.KllFloatsSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.hadoop.hive.common.ndv.hll.HyperLogLog;
import org.junit.jupiter.api.Test;

final class TestColumnStatisticsMerge {
    private static ColumnStatistics longs(long nulls, long distinct, long low, long high) {
        return CatalogUnderTest.longs("a", nulls, distinct, low, high);
    }

    @Test
    void rangesApartHaveNoValueInCommon() {
        assertThat(ColumnStatisticsMerge.merge(List.of(longs(1, 10, 0, 9), longs(2, 5, 100, 104), longs(3, 1, 50, 50))))
                .isEqualTo(longs(6, 16, 0, 104));
    }

    @Test
    void rangeInsideOfAnotherAddsNoValue() {
        assertThat(ColumnStatisticsMerge.merge(List.of(longs(0, 10, 0, 100), longs(0, 20, 40, 60))))
                .isEqualTo(longs(0, 20, 0, 100));
        assertThat(ColumnStatisticsMerge.merge(List.of(longs(0, 10, 0, 10), longs(0, 10, 5, 15))))
                .isEqualTo(longs(0, 15, 0, 15));
    }

    @Test
    void partOfNullsOnlyHasNoRange() {
        ColumnStatistics nulls = ColumnStatistics.of("a", 7, 0);
        assertThat(ColumnStatisticsMerge.merge(List.of(nulls, longs(1, 4, 2, 8))))
                .isEqualTo(longs(8, 4, 2, 8));
    }

    @Test
    void textsAndBooleansAreMerged() {
        ColumnStatistics one = ColumnStatistics.of("a", 1, 5).withLengths(2.5, 9);
        ColumnStatistics two = ColumnStatistics.of("a", 1, 8).withLengths(3, 4);
        assertThat(ColumnStatisticsMerge.merge(List.of(one, two)))
                .isEqualTo(ColumnStatistics.of("a", 2, 8).withLengths(3, 9));
        ColumnStatistics yes = ColumnStatistics.of("a", 0, 1).withBooleans(3, 0);
        ColumnStatistics no = ColumnStatistics.of("a", 0, 1).withBooleans(1, 4);
        ColumnStatistics both = ColumnStatisticsMerge.merge(List.of(yes, no));
        assertThat(both.trueCount()).isEqualTo(4);
        assertThat(both.falseCount()).isEqualTo(4);
    }

    @Test
    void unknownStaysUnknown() {
        assertThat(ColumnStatisticsMerge.merge(List.of(longs(0, -1, 0, 1), longs(0, 3, 0, 1)))
                        .distinctValues())
                .isEqualTo(-1);
    }

    @Test
    void boundsOfAllKindsAreCompared() {
        ColumnStatistics one = bounds(new Datum.OfDouble(-1.5), new Datum.OfDouble(3));
        ColumnStatistics two = bounds(new Datum.OfDouble(-1), new Datum.OfDouble(4));
        assertThat(ColumnStatisticsMerge.merge(List.of(one, two)))
                .extracting(ColumnStatistics::low, ColumnStatistics::high)
                .containsExactly(Optional.of(new Datum.OfDouble(-1.5)), Optional.of(new Datum.OfDouble(4)));
        ColumnStatistics early =
                bounds(new Datum.OfTimestamp(1_600_000_000, 1), new Datum.OfTimestamp(1_700_000_000, 0));
        ColumnStatistics late =
                bounds(new Datum.OfTimestamp(1_600_000_000, 0), new Datum.OfTimestamp(1_700_000_000, 5));
        assertThat(ColumnStatisticsMerge.merge(List.of(early, late)))
                .extracting(ColumnStatistics::low, ColumnStatistics::high)
                .containsExactly(
                        Optional.of(new Datum.OfTimestamp(1_600_000_000, 0)),
                        Optional.of(new Datum.OfTimestamp(1_700_000_000, 5)));
    }

    @Test
    void sketchesSayWhichValuesAreTheSame() {
        ColumnStatistics one = longs(0, 3, 0, 10).withSketch(Optional.of(sketch(0, 5, 10)));
        ColumnStatistics two = longs(0, 3, 0, 10).withSketch(Optional.of(sketch(0, 6, 10)));
        ColumnStatistics merged = ColumnStatisticsMerge.merge(List.of(one, two));
        assertThat(merged.distinctValues()).isEqualTo(4);
        assertThat(merged.sketch()).contains(sketch(0, 5, 6, 10));
        assertThat(ColumnStatisticsMerge.merge(List.of(one, longs(0, 3, 0, 10))).sketch())
                .isEmpty();
    }

    @Test
    void noRowsAddNothing() {
        ColumnStatistics none = ColumnStatistics.of("a", 0, 0);
        ColumnStatistics some = longs(0, 2, 0, 10).withSketch(Optional.of(sketch(0, 10)));
        assertThat(ColumnStatisticsMerge.merge(List.of(none, some))).isEqualTo(some);
        assertThat(ColumnStatisticsMerge.merge(List.of(some, none))).isEqualTo(some);
    }

    private static DistinctSketch sketch(long... values) {
        HyperLogLog sketch = HyperLogLog.builder().setSizeOptimized().build();
        for (long value : values) {
            sketch.addLong(value);
        }
        return new DistinctSketch(sketch.serialize());
    }

    private static ColumnStatistics bounds(Datum low, Datum high) {
        return ColumnStatistics.of("a", 0, 5).withBounds(low, high);
    }

    private static Optional<Histogram> histogram(SqlType type, long... values) {
        ColumnSummarizer summarizer = ColumnSummarizer.of(type);
        VectorAppender appender = VectorAppender.of(type);
        for (long value : values) {
            appender.appendLong(value);
        }
        summarizer.add(appender.build());
        return summarizer.summary().histogram();
    }

    @Test
    void histogramsCountTogether() {
        ColumnStatistics low = longs(0, 3, 1, 3).withHistogram(histogram(PrimitiveType.INT, 1, 2, 3));
        ColumnStatistics high = longs(4, 1, 9, 9).withHistogram(histogram(PrimitiveType.INT, 9));
        Histogram merged =
                ColumnStatisticsMerge.merge(List.of(low, high)).histogram().orElseThrow();
        assertThat(merged.values()).isEqualTo(4);
        assertThat(merged.below(9, false)).isEqualTo(0.75);
        ColumnStatistics nulls = ColumnStatistics.of("a", 7, 1);
        assertThat(ColumnStatisticsMerge.merge(List.of(nulls, low)).histogram()).isEqualTo(low.histogram());
        assertThat(ColumnStatisticsMerge.merge(List.of(longs(0, 3, 1, 3), low)).histogram())
                .isEmpty();
    }

    /** The sketch library of Hive 4.0.1 must be able to read the written bytes. */
    @Test
    void histogramsAreThoseOfHive() {
        byte[] bytes = histogram(PrimitiveType.INT, 1, 2, 3, 4).orElseThrow().bytes();
        KllFloatsSketch theirs = KllFloatsSketch.heapify(Memory.wrap(bytes));
        assertThat(theirs.getN()).isEqualTo(4);
        assertThat(theirs.getRank(3)).isEqualTo(0.5);
        theirs.merge(theirs);
        assertThat(new Histogram(theirs.toByteArray()).values()).isEqualTo(8);
    }
}
