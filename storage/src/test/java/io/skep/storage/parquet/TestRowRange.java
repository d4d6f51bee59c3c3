package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.junit.jupiter.api.Test;

/** Tests ranges of rows in the form of Parquet's library. */
class TestRowRange {
    @Test
    void theWholeRowGroup() {
        assertThat(new RowRange(0, 0, 10, 10).whole()).isTrue();
        assertThat(new RowRange(0, 0, 9, 10).whole()).isFalse();
        assertThat(new RowRange(0, 1, 10, 10).whole()).isFalse();
    }

    @Test
    void exactlyTheRowsOfTheRange() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long rows = 3L + random.nextInt(100);
            long from = 1L + random.nextInt((int) rows - 2);
            long to = from + 1 + random.nextInt((int) (rows - from - 1));
            RowRanges ranges = new RowRange(0, from, to, rows).toRowRanges();
            assertThat(ranges.rowCount()).as("seed %s", seed).isEqualTo(to - from);
            for (long row = 0; row < rows; row++) {
                assertThat(ranges.isOverlapping(row, row))
                        .as("seed %s, row %s", seed, row)
                        .isEqualTo(row >= from && row < to);
            }
        }
    }

    @Test
    void rangesAtTheEnds() {
        assertThat(new RowRange(0, 0, 4, 10).toRowRanges().rowCount()).isEqualTo(4);
        assertThat(new RowRange(0, 6, 10, 10).toRowRanges().rowCount()).isEqualTo(4);
        assertThat(new RowRange(0, 6, 10, 10).toRowRanges().isOverlapping(9, 9)).isTrue();
    }
}
