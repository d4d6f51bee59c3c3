package io.skep.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.operator.TestBatches;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares group numbers with a map of plain objects. */
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
                values[i] = 1_000_003L * random.nextInt(60_000);
            }
            check(index, List.of(TestBatches.longs(values)), values.length, known);
        }
        assertThat(index.size()).isEqualTo(known.size()).isGreaterThan(50_000);
        // The directory grows by half when two thirds of it are used. The keys' array is doubled while it is this
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

    /**
     * Days that advance, a flag and nulls, with the keys in both orders. Then values that are too far apart for an
     * array.
     */
    @Test
    void integersCloseTogether() {
        for (boolean nulls : new boolean[] {false, true}) {
            for (int keys = 1; keys <= 3; keys++) {
                GroupIndex index = new GroupIndex(Collections.nCopies(keys, PrimitiveType.INT));
                Map<@Nullable Object, Integer> known = new HashMap<>();
                Random random = new Random(keys);
                for (int batch = 0; batch < 40; batch++) {
                    int around = batch * 5 - (batch % 7) * 11;
                    List<Vector> columns = new ArrayList<>(List.of(
                            near(random, around, 9, nulls), near(random, -3, 2, nulls), near(random, 0, 4, nulls)));
                    check(index, columns.subList(3 - keys, 3).reversed(), 300, known);
                }
                long[] far = {0, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, -1};
                List<Vector> apart = Collections.nCopies(keys, TestBatches.longs(far));
                check(index, apart, far.length, known);
                check(index, Collections.nCopies(keys, near(random, 5, 9, nulls)), 300, known);
                assertThat(index.size()).isEqualTo(known.size());
            }
        }
    }

    @Test
    void nothingButNulls() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.INT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        check(index, List.of(TestBatches.nullableLongs(null, null)), 2, known);
        check(index, List.of(TestBatches.nullableLongs(null, 1_000_000L)), 2, known);
        check(index, List.of(TestBatches.nullableLongs(1_000_001L, null)), 2, known);
        assertThat(index.size()).isEqualTo(3);
    }

    /** Values that would need 2 to the power of 32 slots if their overflowing distance were treated as small. */
    @Test
    void distancesThatOverflow() {
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT, PrimitiveType.BIGINT));
        Map<@Nullable Object, Integer> known = new HashMap<>();
        Vector all = TestBatches.longs(Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE);
        check(index, List.of(all, all), 3, known);
        Vector low = TestBatches.longs(Long.MIN_VALUE, 7, Long.MAX_VALUE);
        check(index, List.of(low, low), 3, known);
        assertThat(index.size()).isEqualTo(4);
    }

    private static Vector near(Random random, int least, int count, boolean nulls) {
        @Nullable Long[] values = new Long[300];
        for (int i = 0; i < values.length; i++) {
            values[i] = nulls && random.nextInt(20) == 0 ? null : Long.valueOf(least + random.nextInt(count));
        }
        return TestBatches.nullableLongs(values);
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

    /** Checks that groups have the numbers of the first rows of their keys, and that they keep their keys. */
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
