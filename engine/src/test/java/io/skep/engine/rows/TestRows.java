package io.skep.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;
import io.skep.engine.operator.TestBatches;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TestRows {
    private static final List<SqlType> TYPES = TestBatches.ALL_TYPES;

    @Test
    void equalRowsHaveEqualHashesAndTheSameGroup() {
        Batch batch = TestBatches.random(new Random(1), TYPES, 3000, 0.3);
        for (int column = 0; column < TYPES.size(); column++) {
            List<Vector> keys = List.of(batch.column(column));
            long[] hashes = new long[3000];
            RowHash.hash(keys, 3000, hashes);
            int[] groups = new int[3000];
            GroupIndex index = new GroupIndex(List.of(TYPES.get(column)));
            index.assign(keys, 3000, groups);
            Map<@Nullable Object, Integer> rowOf = new HashMap<>();
            for (int row = 0; row < 3000; row++) {
                Object value = TestBatches.value(batch.column(column), row);
                Integer first = rowOf.putIfAbsent(value, row);
                if (first != null) {
                    assertThat(hashes[row]).isEqualTo(hashes[first]);
                    assertThat(groups[row]).isEqualTo(groups[first]);
                    assertThat(RowEquality.equal(batch.column(column), row, batch.column(column), first))
                            .isTrue();
                }
            }
            assertThat(index.size()).isEqualTo(rowOf.size());
        }
    }

    @Test
    void encodingsDoNotMatter() {
        Vector dictionary = TestBatches.texts("a", "bb", "a");
        Vector coded = new DictionaryVector(new int[] {2, 1, 0, 0}, dictionary, new long[] {8}, 4);
        Vector flat = TestBatches.texts("a", "bb", "a", null);
        assertThat(hashes(coded)).isEqualTo(hashes(flat));
        Vector constant = new ConstantVector(TestBatches.texts("bb"), 4);
        assertThat(hashes(constant)[0]).isEqualTo(hashes(flat)[1]);
        Vector large = new DictionaryVector(new int[] {1}, dictionary, null, 1);
        assertThat(hashes(large)[0]).isEqualTo(hashes(flat)[1]);
        for (int row = 0; row < 4; row++) {
            assertThat(RowEquality.equal(coded, row, flat, row)).isTrue();
            assertThat(RowEquality.equal(flat, row, coded, row)).isTrue();
        }
        assertThat(RowEquality.equal(constant, 0, coded, 1)).isTrue();
        assertThat(RowEquality.equal(coded, 3, constant, 1)).isFalse();
    }

    @Test
    void zerosAndNansAreOneValueEach() {
        double otherNan = Double.longBitsToDouble(0x7ff8000000000001L);
        Vector values = new DoubleVector(new double[] {0.0, -0.0, Double.NaN, otherNan, 1}, null, 5);
        int[] groups = new int[5];
        new GroupIndex(List.of(PrimitiveType.DOUBLE)).assign(List.of(values), 5, groups);
        assertThat(groups).containsExactly(0, 0, 1, 1, 2);
    }

    @Test
    void keysWithTheSameHashBitsAreDifferentGroups() {
        // Hashes that are equal in all bits that the directory keeps and in those that choose the slot.
        List<Long> keys = new ArrayList<>();
        for (long i = 0; i < 40; i++) {
            keys.add(unmixed(0x1234567800000005L + i));
        }
        Random random = new Random(4);
        long[] rows = new long[5000];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = random.nextInt(4) == 0 ? random.nextInt(1000) : keys.get(random.nextInt(keys.size()));
        }
        GroupIndex index = new GroupIndex(List.of(PrimitiveType.BIGINT));
        Map<Long, Integer> expected = new HashMap<>();
        for (int from = 0; from < rows.length; from += 1000) {
            long[] part = java.util.Arrays.copyOfRange(rows, from, from + 1000);
            int[] groups = new int[1000];
            index.assign(List.of(TestBatches.longs(part)), 1000, groups);
            for (int i = 0; i < 1000; i++) {
                Integer before = expected.putIfAbsent(part[i], groups[i]);
                assertThat(before == null ? groups[i] : before).isEqualTo(groups[i]);
            }
        }
        assertThat(index.size()).isEqualTo(expected.size());
        Vector stored = index.keys(0, index.size()).getFirst();
        expected.forEach(
                (key, group) -> assertThat(TestBatches.value(stored, group)).isEqualTo(key));
    }

    @Test
    void concatenationAndCompactionKeepValues() {
        Random random = new Random(8);
        List<Batch> batches = new ArrayList<>();
        for (int rows : new int[] {3, 0, 200, 65}) {
            Batch batch = TestBatches.random(random, TYPES, rows + 10, 0.2);
            int[] positions = new int[rows];
            for (int i = 0; i < rows; i++) {
                positions[i] = rows + 9 - i;
            }
            batches.add(batch.select(positions, rows));
        }
        assertThat(TestBatches.rows(Concatenation.of(batches, TYPES))).isEqualTo(TestBatches.rows(batches));
        assertThat(TestBatches.rows(Concatenation.of(List.of(), TYPES))).isEmpty();
        for (Batch batch : batches) {
            assertThat(TestBatches.rows(Compaction.of(batch, TYPES))).isEqualTo(TestBatches.rows(batch));
        }
    }

    @Test
    void sharedDictionariesAreKeptAndCountedOnce() {
        Vector dictionary = TestBatches.texts("x".repeat(1000), "y");
        Vector first = new DictionaryVector(new int[] {0, 1}, dictionary, null, 2);
        Vector second = new DictionaryVector(new int[] {1}, dictionary, null, 1);
        assertThat(Concatenation.vectors(List.of(first, second), PrimitiveType.STRING, 3))
                .isInstanceOf(DictionaryVector.class);
        RetainedBytes kept = new RetainedBytes();
        assertThat(kept.of(Batch.of(2, first))).isGreaterThan(1000);
        assertThat(kept.of(Batch.of(1, second))).isLessThan(500);
    }

    @Test
    void partitionsAreEven() {
        long[] values = new long[80_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        long[] hashes = hashes(TestBatches.longs(values));
        int[] counts = new int[7];
        for (long hash : hashes) {
            counts[RowHash.partition(hash, 7)]++;
        }
        assertThat(counts).satisfies(all -> {
            for (int count : all) {
                assertThat(count).isBetween(11_000, 12_000);
            }
        });
    }

    private static long[] hashes(Vector vector) {
        long[] hashes = new long[vector.length()];
        RowHash.hash(List.of(vector), vector.length(), hashes);
        return hashes;
    }

    /** Returns the value that {@link RowHash#mix} maps to {@code hash}. */
    static long unmixed(long hash) {
        long h = hash;
        h ^= h >>> 33;
        h *= inverse(0xC4CEB9FE1A85EC53L);
        h ^= h >>> 33;
        h *= inverse(0xFF51AFD7ED558CCDL);
        h ^= h >>> 33;
        assertThat(RowHash.mix(h)).isEqualTo(hash);
        return h;
    }

    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
