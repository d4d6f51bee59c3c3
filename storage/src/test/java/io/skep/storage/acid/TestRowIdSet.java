package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TestRowIdSet {
    /** Compares dense and sparse sets with a plain set of numbers. */
    @Test
    void findsTheRowsThatAreLeft() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(500);
            int spread = 1 + random.nextInt(random.nextBoolean() ? 3 : 1000);
            long base = random.nextInt(4) == 0 ? Long.MAX_VALUE - 2_000_000 : random.nextInt(10_000);
            long[] rowIds = new long[count + 10];
            for (int i = 0; i < count; i++) {
                rowIds[i] = base + random.nextInt(count * spread);
            }
            Set<Long> expected = Arrays.stream(rowIds, 0, count).boxed().collect(Collectors.toSet());
            RowIdSet set = RowIdSet.of(rowIds, count);
            for (int i = 0; i < 20; i++) {
                long from = Math.max(0, base - 100) + random.nextInt(count * spread + 200);
                int rows = random.nextInt(700);
                int[] live = new int[rows];
                int left = set.live(from, rows, live);
                int[] wanted = IntStream.range(0, rows)
                        .filter(row -> !expected.contains(from + row))
                        .toArray();
                assertThat(Arrays.copyOf(live, left)).as("seed %d", seed).isEqualTo(wanted);
                assertThat(set.contains(from)).isEqualTo(expected.contains(from));
            }
            assertThat(set.retainedBytes()).isLessThanOrEqualTo(64 + 8L * (count + 1));
        }
    }
}
