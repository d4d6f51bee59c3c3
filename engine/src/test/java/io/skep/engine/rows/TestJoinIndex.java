package io.skep.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.operator.TestBatches;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares lookups with a comparison of all pairs of rows. */
class TestJoinIndex {
    private static final List<SqlType> TYPES = List.of(
            PrimitiveType.BIGINT,
            PrimitiveType.STRING,
            PrimitiveType.DATE,
            new DecimalType(38, 2),
            PrimitiveType.DOUBLE);

    @Test
    void oneKeyOfEachType() {
        for (int column = 0; column < TYPES.size(); column++) {
            for (boolean nullSafe : new boolean[] {true, false}) {
                for (double nulls : new double[] {0, 0.2}) {
                    check(new Random(column), new int[] {column}, nullSafe, nulls, 200);
                }
            }
        }
    }

    @Test
    void severalKeys() {
        check(new Random(1), new int[] {0, 1}, false, 0.1, 900);
        check(new Random(2), new int[] {1, 0}, true, 0.1, 900);
        check(new Random(3), new int[] {2, 3, 4}, true, 0.5, 900);
    }

    /**
     * A directory that is filled piece by piece. Every key occurs twice. In the run with nulls, the first 100 keys are
     * null and have no match.
     */
    @Test
    void manyRows() {
        int unique = 850_000;
        for (boolean nulls : new boolean[] {false, true}) {
            long[] values = new long[2 * unique];
            long[] mask = new long[(values.length + 63) / 64];
            for (int row = 0; row < values.length; row++) {
                values[row] = RowHash.mix(row % unique);
                mask[row >> 6] |= nulls && row % unique < 100 ? 1L << row : 0;
            }
            LongVector keys = new LongVector(values, nulls ? mask : null, values.length);
            JoinIndex index = new JoinIndex(List.of(keys), List.of(false), values.length);
            assertThat(index.unique()).isFalse();
            JoinIndex.Lookup lookup = index.newLookup();
            for (int from = 0; from < unique + 2000; from += 1000) {
                long[] wanted = new long[1000];
                int[] rows = new int[1000];
                int[] builds = new int[1000];
                for (int i = 0; i < 1000; i++) {
                    wanted[i] = RowHash.mix(from + i);
                    rows[i] = i;
                }
                int least = nulls ? 100 : 0;
                int expected = Math.clamp(unique - from, 0, 1000) - (from == 0 ? least : 0);
                int count = lookup.find(List.of(TestBatches.longs(wanted)), 1000, rows, 1000, builds);
                assertThat(count).isEqualTo(expected);
                assertRows(from, rows, builds, count);
                assertThat(lookup.advance(rows, builds, count)).isEqualTo(expected);
                assertRows(from + unique, rows, builds, count);
                assertThat(lookup.advance(rows, builds, count)).isZero();
            }
        }
    }

    private static void assertRows(int from, int[] rows, int[] builds, int count) {
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            wrong += builds[i] == from + rows[i] ? 0 : 1;
        }
        assertThat(wrong).isZero();
    }

    @Test
    void noRows() {
        check(new Random(1), new int[] {0}, false, 0, 0);
    }

    private static void check(Random random, int[] columns, boolean nullSafe, double nulls, int buildRows) {
        Batch build = TestBatches.random(random, TYPES, buildRows, nulls);
        Batch probe = TestBatches.random(random, TYPES, 300, nulls);
        List<Vector> buildKeys = new ArrayList<>();
        List<Vector> probeKeys = new ArrayList<>();
        for (int column : columns) {
            buildKeys.add(build.column(column).flatten());
            probeKeys.add(probe.column(column).flatten());
        }
        check(buildKeys, buildRows, probeKeys, 300, nullSafe);
    }

    private static JoinIndex check(
            List<Vector> build, int buildRows, List<Vector> probe, int probeRows, boolean nullSafe) {
        List<Boolean> safe = Collections.nCopies(build.size(), nullSafe);
        JoinIndex index = new JoinIndex(build, safe, buildRows);
        assertThat(index.retainedBytes()).isLessThanOrEqualTo(JoinIndex.bytes(buildRows));
        int[] rows = new int[probeRows];
        int count = 0;
        for (int row = 0; row < probeRows; row++) {
            rows[count] = row;
            count += nullSafe || noNulls(probe, row) ? 1 : 0;
        }
        List<String> pairs = new ArrayList<>();
        int[] found = new int[probeRows];
        int[] last = new int[probeRows];
        java.util.Arrays.fill(last, -1);
        JoinIndex.Lookup lookup = index.newLookup();
        int active = lookup.find(probe, probeRows, rows, count, found);
        while (active > 0) {
            for (int i = 0; i < active; i++) {
                pairs.add(rows[i] + "=" + found[i]);
                assertThat(found[i]).as("chains are in the order of the rows").isGreaterThan(last[rows[i]]);
                last[rows[i]] = found[i];
            }
            active = lookup.advance(rows, found, active);
        }
        List<String> wanted = expected(build, buildRows, probe, probeRows, nullSafe);
        // Sorted, because comparing unordered long lists needs quadratic time.
        Collections.sort(pairs);
        Collections.sort(wanted);
        assertThat(pairs).isEqualTo(wanted);
        return index;
    }

    private static boolean noNulls(List<Vector> keys, int row) {
        return keys.stream().noneMatch(key -> key.isNull(row));
    }

    private static List<String> expected(
            List<Vector> build, int buildRows, List<Vector> probe, int probeRows, boolean nullSafe) {
        List<String> pairs = new ArrayList<>();
        for (int p = 0; p < probeRows; p++) {
            for (int b = 0; b < buildRows; b++) {
                boolean equal = nullSafe || noNulls(probe, p) && noNulls(build, b);
                for (int key = 0; key < build.size() && equal; key++) {
                    equal = RowEquality.equal(probe.get(key), p, build.get(key), b);
                }
                if (equal) {
                    pairs.add(p + "=" + b);
                }
            }
        }
        return pairs;
    }

    @Test
    void uniqueKeysCostElevenBytesAtAnySize() {
        for (int rows : new int[] {1000, 4096, 5000, 70_000}) {
            long[] keys = new long[rows];
            for (int i = 0; i < rows; i++) {
                keys[i] = 7L * i;
            }
            JoinIndex index = new JoinIndex(List.of(TestBatches.longs(keys)), List.of(false), rows);
            assertThat(index.unique()).isTrue();
            assertThat((double) index.retainedBytes() / rows).isLessThan(11);
        }
    }

    @Test
    void duplicatesAreChained() {
        JoinIndex index =
                check(List.of(TestBatches.longs(5, 6, 5, 5, 7)), 5, List.of(TestBatches.longs(7, 5, 8)), 3, false);
        assertThat(index.unique()).isFalse();
    }

    @Test
    void otherKeysWithTheSameHashBits() {
        // Most keys share one slot and one tag. Half of the keys that are looked up do not exist.
        Random random = new Random(4);
        long[] build = new long[600];
        for (int i = 0; i < build.length; i++) {
            build[i] = random.nextInt(4) == 0 ? i : TestRows.unmixed(0x1234567800000005L + random.nextInt(40));
        }
        long[] probe = new long[300];
        for (int i = 0; i < probe.length; i++) {
            probe[i] = random.nextInt(4) == 0 ? i : TestRows.unmixed(0x1234567800000005L + random.nextInt(80));
        }
        check(List.of(TestBatches.longs(build)), 600, List.of(TestBatches.longs(probe)), 300, false);
    }

    @Test
    void clustersWrapAroundTheEnd() {
        // Hashes whose lower halves choose the last slots, with distinct tags.
        long[] build = new long[50];
        for (int i = 0; i < build.length; i++) {
            build[i] = TestRows.unmixed((long) (i + 1) << 32 | 0xFFFFFFFFL);
        }
        check(List.of(TestBatches.longs(build)), 50, List.of(TestBatches.longs(build)), 50, false);
    }
}
