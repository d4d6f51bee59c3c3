package io.skep.llap.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.common.vector.VectorArrays;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Column;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TestRowGroupFilter {
    private static final List<Column> COLUMNS = List.of(
            new Column("a", PrimitiveType.BIGINT),
            new Column("s", PrimitiveType.STRING),
            new Column("c", TypeParser.parse("char(3)")));

    @Test
    void numbersInLists() {
        assertThat(mayMatch(new ColumnPredicate.In(0, longs(5, 7)), Map.of(0, numbers(1L, 7L))))
                .isTrue();
        assertThat(mayMatch(new ColumnPredicate.In(0, longs(5, 7)), Map.of(0, numbers(1L, 6L, null))))
                .isFalse();
        assertThat(mayMatch(new ColumnPredicate.In(0, List.of()), Map.of(0, numbers(1L))))
                .isFalse();
    }

    @Test
    void numbersInRanges() {
        Map<Integer, ColumnRows> rows = Map.of(0, numbers(1L, 10L, null));
        assertThat(mayMatch(range(1, true, 3, true), rows)).isTrue();
        assertThat(mayMatch(range(1, false, 10, false), rows)).isFalse();
        assertThat(mayMatch(range(1, false, 10, true), rows)).isTrue();
        assertThat(mayMatch(range(2, true, 9, true), rows)).isFalse();
        assertThat(mayMatch(range(Long.MAX_VALUE, false, Long.MAX_VALUE, true), Map.of(0, numbers(Long.MAX_VALUE))))
                .isFalse();
        assertThat(mayMatch(range(Long.MIN_VALUE, true, Long.MIN_VALUE, false), Map.of(0, numbers(Long.MIN_VALUE))))
                .isFalse();
        assertThat(mayMatch(range(Long.MIN_VALUE, true, Long.MAX_VALUE, true), Map.of(0, numbers(Long.MAX_VALUE))))
                .isTrue();
        assertThat(mayMatch(atLeast(11), rows)).isFalse();
        assertThat(mayMatch(atLeast(10), rows)).isTrue();
    }

    @Test
    void nulls() {
        assertThat(mayMatch(new ColumnPredicate.IsNull(0), Map.of(0, numbers(1L))))
                .isFalse();
        assertThat(mayMatch(new ColumnPredicate.IsNull(0), Map.of(0, numbers(1L, null))))
                .isTrue();
        assertThat(mayMatch(new ColumnPredicate.IsNotNull(0), Map.of(0, numbers((Long) null))))
                .isFalse();
        DictionaryVector coded =
                new DictionaryVector(new int[] {0, 0}, numbers(4L).decode(0, 1, VectorArrays.NEW), new long[] {1}, 2);
        ColumnRows rows = new ColumnRows.Plain(List.of(coded));
        assertThat(mayMatch(new ColumnPredicate.IsNull(0), Map.of(0, rows))).isTrue();
        assertThat(mayMatch(new ColumnPredicate.In(0, longs(4)), Map.of(0, rows)))
                .isTrue();
        assertThat(mayMatch(new ColumnPredicate.In(0, longs(5)), Map.of(0, rows)))
                .isFalse();
    }

    @Test
    void textsAreComparedWhole() {
        ColumnRows rows = texts("ab", "abc", "");
        assertThat(mayMatch(new ColumnPredicate.In(1, List.of(Datum.ofText("abc"))), Map.of(1, rows)))
                .isTrue();
        assertThat(mayMatch(new ColumnPredicate.In(1, List.of(Datum.ofText(""))), Map.of(1, rows)))
                .isTrue();
        assertThat(mayMatch(
                        new ColumnPredicate.In(1, List.of(Datum.ofText("abcd"), Datum.ofText("b"))), Map.of(1, rows)))
                .isFalse();
    }

    @Test
    void whatHasNoTestMatches() {
        assertThat(test(List.of(new ColumnPredicate.In(2, List.of(Datum.ofText("x"))))))
                .isSameAs(RowGroupFilter.NONE);
        assertThat(test(List.of(
                        new ColumnPredicate.Range(1, Optional.of(Datum.ofText("x")), true, Optional.empty(), false))))
                .isSameAs(RowGroupFilter.NONE);
        assertThat(RowGroupFilter.of(List.of(new ColumnPredicate.IsNull(0)), COLUMNS, List.of(1)))
                .isSameAs(RowGroupFilter.NONE);
        assertThat(RowGroupFilter.NONE.mayMatch(Map.of())).isTrue();
        assertThat(mayMatch(new ColumnPredicate.IsNull(0), Map.of(1, texts("x"))))
                .isTrue();
    }

    @Test
    void conditionsMustMeetInOneRow() {
        RowGroupFilter both = test(
                List.of(new ColumnPredicate.In(0, longs(1)), new ColumnPredicate.In(1, List.of(Datum.ofText("y")))));
        assertThat(both.columns()).containsExactly(0, 1);
        assertThat(both.mayMatch(Map.of(0, numbers(1L, 2L), 1, texts("x", "y"))))
                .isFalse();
        assertThat(both.mayMatch(Map.of(0, numbers(2L, 1L), 1, texts("x", "y"))))
                .isTrue();
    }

    @Test
    void everyBatchIsLookedAt() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            int rows = 1 + random.nextInt(3 * Batch.TARGET_ROWS);
            int hit = random.nextInt(rows);
            List<Vector> parts = new ArrayList<>();
            for (int from = 0; from < rows; from += Batch.TARGET_ROWS) {
                long[] values = new long[Math.min(Batch.TARGET_ROWS, rows - from)];
                if (hit >= from && hit < from + values.length) {
                    values[hit - from] = 9;
                }
                parts.add(new LongVector(values, null, values.length));
            }
            Map<Integer, ColumnRows> given = Map.of(0, new ColumnRows.Plain(parts));
            assertThat(mayMatch(new ColumnPredicate.In(0, longs(9)), given))
                    .as("seed %s", seed)
                    .isTrue();
            assertThat(mayMatch(new ColumnPredicate.In(0, longs(8)), given))
                    .as("seed %s", seed)
                    .isFalse();
        }
    }

    private static boolean mayMatch(ColumnPredicate predicate, Map<Integer, ColumnRows> rows) {
        return test(List.of(predicate)).mayMatch(rows);
    }

    private static RowGroupFilter test(List<ColumnPredicate> predicates) {
        return RowGroupFilter.of(predicates, COLUMNS, List.of(0, 1, 2));
    }

    private static ColumnPredicate range(long low, boolean lowInclusive, long high, boolean highInclusive) {
        return new ColumnPredicate.Range(
                0,
                Optional.of(new Datum.OfLong(low)),
                lowInclusive,
                Optional.of(new Datum.OfLong(high)),
                highInclusive);
    }

    private static ColumnPredicate atLeast(long low) {
        return new ColumnPredicate.Range(0, Optional.of(new Datum.OfLong(low)), true, Optional.empty(), false);
    }

    private static List<Datum> longs(long... values) {
        List<Datum> all = new ArrayList<>();
        for (long value : values) {
            all.add(new Datum.OfLong(value));
        }
        return all;
    }

    private static ColumnRows numbers(@Nullable Long... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.BIGINT);
        for (Long value : values) {
            if (value == null) {
                appender.appendNull();
            } else {
                appender.appendLong(value);
            }
        }
        return new ColumnRows.Plain(List.of(appender.build()));
    }

    private static ColumnRows texts(String... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (String value : values) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            appender.appendBytes(bytes, 0, bytes.length);
        }
        return new ColumnRows.Plain(List.of(appender.build()));
    }
}
