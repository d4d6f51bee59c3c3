package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.storage.parquet.ChunkIndex.Page;
import io.skep.storage.prune.ColumnBounds;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which ranges of rows the bounds of pages and the known values exclude. */
class TestChunkIndex {
    private static final ColumnPredicate FIVE = new ColumnPredicate.In(0, List.of(number(5)));

    private final ChunkIndex index = new ChunkIndex(
            List.of(page(0, 10, 1, 4), page(10, 20, 3, 8), nulls(20, 30), page(30, Long.MAX_VALUE, 20, 29)),
            value -> !value.equals(number(7)));

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    private static Page page(long from, long to, long low, long high) {
        return new Page(
                from,
                to,
                new ColumnBounds(Optional.of(number(low)), Optional.of(number(high)), false, true, value -> true));
    }

    private static Page nulls(long from, long to) {
        return new Page(from, to, new ColumnBounds(Optional.empty(), Optional.empty(), true, false, value -> true));
    }

    private static RowRange rows(long from, long to) {
        return new RowRange(0, from, to, 100);
    }

    @Test
    void aRangeMatchesIfAPageInItDoes() {
        assertThat(index.mayMatch(rows(0, 10), FIVE)).isFalse();
        assertThat(index.mayMatch(rows(0, 11), FIVE)).isTrue();
        assertThat(index.mayMatch(rows(19, 30), FIVE)).isTrue();
        assertThat(index.mayMatch(rows(20, 100), FIVE)).isFalse();
    }

    @Test
    void theLastPageReachesTheEnd() {
        assertThat(index.mayMatch(rows(99, 100), new ColumnPredicate.In(0, List.of(number(25)))))
                .isTrue();
    }

    @Test
    void nullsAndValues() {
        assertThat(index.mayMatch(rows(0, 20), new ColumnPredicate.IsNull(0))).isFalse();
        assertThat(index.mayMatch(rows(15, 25), new ColumnPredicate.IsNull(0))).isTrue();
        assertThat(index.mayMatch(rows(20, 30), new ColumnPredicate.IsNotNull(0)))
                .isFalse();
        assertThat(index.mayMatch(rows(20, 31), new ColumnPredicate.IsNotNull(0)))
                .isTrue();
    }

    @Test
    void aValueThatIsAbsentMatchesNowhere() {
        assertThat(index.mayMatch(rows(0, 100), new ColumnPredicate.In(0, List.of(number(7)))))
                .isFalse();
        assertThat(index.mayMatch(rows(0, 100), new ColumnPredicate.In(0, List.of(number(7), number(8)))))
                .isTrue();
    }

    @Test
    void withoutPagesOnlyTheValuesAreKnown() {
        ChunkIndex unknown = new ChunkIndex(List.of(), value -> !value.equals(number(7)));
        assertThat(unknown.mayMatch(rows(0, 10), FIVE)).isTrue();
        assertThat(unknown.mayMatch(rows(0, 10), new ColumnPredicate.In(0, List.of(number(7)))))
                .isFalse();
        assertThat(unknown.mayMatch(rows(0, 10), new ColumnPredicate.IsNull(0))).isTrue();
    }
}
