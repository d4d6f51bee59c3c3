package io.skep.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.operator.TestBatches;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Group numbers against a map of plain objects. */
class TestGroupIndex {
    private static final List<SqlType> TYPES =
            List.of(PrimitiveType.INT, PrimitiveType.STRING, PrimitiveType.TIMESTAMP);

    @Test
    void growsWithoutLosingGroups() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        Random random = new Random(7);
        for (int batch = 0; batch < 80; batch++) {
            long[] values = new long[1500];
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextInt(60_000);
            }
            check(index, List.of(TestBatches.longs(values)), values.length, known);
        }
        assertThat(index.size()).isEqualTo(known.size()).isGreaterThan(50_000);
        // The directory grows by half when two thirds are taken; the keys' array is doubled, as long as it is this
        // small.
        assertThat(index.retainedBytes() / index.size()).isLessThanOrEqualTo(18 + 16);
    }

    @Test
    void nullsAreOneGroup() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        check(index, List.of(TestBatches.nullableLongs(1L, null, 0L, null, 3L)), 5, known);
        check(index, List.of(TestBatches.longs(0, 1, 2, 3, 4)), 5, known);
        check(index, List.of(TestBatches.nullableLongs(null, 4L, 5L)), 3, known);
        assertThat(index.size()).isEqualTo(7);
    }

    @Test
    void severalKeysWithNulls() {
        for (int column = 0; column < TYPES.size(); column++) {
            check(List.of(TYPES.get(column)), List.of(column));
        }
        check(TYPES, List.of(0, 1, 2));
    }

    private static void check(List<SqlType> types, List<Integer> columns) {
        Random random = new Random(columns.size());
        GroupIndex index = new GroupIndex(types);
        Map<@Nullable Object, Integer> known = new HashMap<>();
        for (int batch = 0; batch < 6; batch++) {
            Batch rows = TestBatches.random(random, TYPES, 1000, 0.2);
            check(index, columns.stream().map(rows::column).toList(), 1000, known);
        }
    }

    @Test
    void otherKeysWithTheSameHashBits() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        Random random = new Random(3);
        for (int batch = 0; batch < 20; batch++) {
            long[] values = new long[500];
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextBoolean()
                        ? random.nextInt(5000)
                        : TestRows.unmixed(0x7654321000000005L + random.nextInt(60));
            }
            check(index, List.of(TestBatches.longs(values)), values.length, known);
        }
        assertThat(index.size()).isEqualTo(known.size());
    }

    @Test
    void clustersWrapAroundTheEnd() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        long[] values = new long[100];
        for (int i = 0; i < values.length; i++) {
            values[i] = TestRows.unmixed((long) (i + 1) << 32 | 0xFFFFFFFFL);
        }
        check(index, List.of(TestBatches.longs(values)), values.length, known);
        check(index, List.of(TestBatches.longs(values)), values.length, known);
        assertThat(index.size()).isEqualTo(100);
    }

    @Test
    void hashesAreThoseOfTheKeys() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.STRING));
        index.assign(List.of(TestBatches.texts("a", null, "b", "c")), 4, new int[4]);
        long[] expected = new long[4];
        RowHash.hash(List.of(TestBatches.texts("a", null, "b", "c")), 4, expected);
        long[] hashes = new long[2];
        index.hashes(1, 2, hashes);
        assertThat(hashes).containsExactly(expected[1], expected[2]);
    }

    /** Groups have the numbers of their keys' first rows, and keep their keys. */
    private static void check(GroupIndex index, List<Vector> columns, int rows, Map<@Nullable Object, Integer> known) {
        int[] groups = new int[rows];
        index.assign(columns, rows, groups);
        for (int row = 0; row < rows; row++) {
            Object key = key(columns, row);
            Integer before = known.putIfAbsent(key, groups[row]);
            assertThat(groups[row]).isEqualTo(before == null ? groups[row] : before);
            assertThat(key(index.keys(groups[row], 1), 0)).isEqualTo(key);
        }
        assertThat(index.size()).isEqualTo(known.size());
    }

    private static List<@Nullable Object> key(List<Vector> columns, int row) {
        List<@Nullable Object> key = new ArrayList<>();
        columns.forEach(column -> key.add(TestBatches.value(column, row)));
        return key;
    }
}
