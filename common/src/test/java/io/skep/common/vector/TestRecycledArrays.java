package io.skep.common.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestRecycledArrays {
    private static final int ROWS = Batch.TARGET_ROWS;

    @Test
    void whatIsTakenBackIsGivenAgain() {
        for (RecycledArrays arrays : List.of(RecycledArrays.untilHandedOut(), RecycledArrays.of(0))) {
            long[] longs = arrays.longs(ROWS);
            double[] doubles = arrays.doubles(ROWS);
            int[] ints = arrays.ints(ROWS);
            assertThat(arrays.longs(ROWS)).isNotSameAs(longs);
            assertThat(arrays.ints(ROWS)).isNotSameAs(ints);
            arrays.takeBack();
            assertThat(arrays.longs(ROWS)).isSameAs(longs);
            assertThat(arrays.doubles(ROWS)).isSameAs(doubles);
            assertThat(arrays.ints(ROWS)).isSameAs(ints);
        }
    }

    @Test
    void whatIsHandedOutForeverIsNeverTouchedAgain() {
        RecycledArrays arrays = RecycledArrays.untilHandedOut();
        List<long[]> given = new ArrayList<>();
        for (int batch = 0; batch < 5; batch++) {
            long[] values = arrays.longs(ROWS);
            Arrays.fill(values, batch);
            given.add(values);
            arrays.handOut();
            arrays.longs(ROWS);
            arrays.takeBack();
        }
        for (int batch = 0; batch < 5; batch++) {
            assertThat(given.get(batch)).containsOnly(batch);
        }
    }

    @Test
    void whatIsHandedOutLastsAsLongAsWasSaid() {
        for (int atOnce = 0; atOnce < 4; atOnce++) {
            RecycledArrays arrays = RecycledArrays.of(atOnce);
            List<long[]> given = new ArrayList<>();
            for (int batch = 0; batch < 10; batch++) {
                long[] values = arrays.longs(ROWS);
                Arrays.fill(values, batch);
                given.add(values);
                for (int back = 0; back <= atOnce && back <= batch; back++) {
                    assertThat(given.get(batch - back)).containsOnly(batch - back);
                }
                arrays.handOut();
                for (int dropped = 0; dropped < 3; dropped++) {
                    Arrays.fill(arrays.longs(ROWS), -1);
                    arrays.takeBack();
                }
            }
            assertThat(given.getLast()).isSameAs(given.get(given.size() - 2 - atOnce));
        }
    }

    /** Lets tests detect code that reads a batch too late. All tests run with assertions. */
    @Test
    void whatIsTakenBackIsOverwritten() {
        RecycledArrays arrays = RecycledArrays.of(0);
        long[] longs = arrays.longs(ROWS);
        int[] ints = arrays.ints(ROWS);
        double[] doubles = arrays.doubles(ROWS);
        arrays.handOut();
        assertThat(longs).containsOnly(RecycledArrays.GARBAGE);
        assertThat(ints).containsOnly((int) RecycledArrays.GARBAGE);
        assertThat(doubles).doesNotContain(0.0);
    }

    @Test
    void onlyAsManyAreKeptAsPay() {
        RecycledArrays arrays = RecycledArrays.of(0);
        long[] first = arrays.longs(ROWS);
        Set<long[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
        given.add(first);
        for (int i = 1; i < 100; i++) {
            given.add(arrays.longs(ROWS));
        }
        assertThat(given).hasSize(100);
        arrays.takeBack();
        assertThat(arrays.longs(ROWS)).isSameAs(first);
        for (int i = 1; i < 100; i++) {
            assertThat(arrays.longs(ROWS).length).isGreaterThanOrEqualTo(ROWS);
        }
    }

    @Test
    void otherLengthsAreServedToo() {
        assertThat(RecycledArrays.of(1).longs(10 * ROWS)).hasSize(10 * ROWS);
        assertThat(RecycledArrays.of(1).ints(0)).isEmpty();
        assertThat(RecycledArrays.of(1).doubles(3).length).isGreaterThanOrEqualTo(3);
        assertThat(RecycledArrays.untilHandedOut().longs(3)).hasSize(3);
        RecycledArrays arrays = RecycledArrays.of(0);
        long[] scratch = arrays.scratch(100);
        assertThat(arrays.scratch(50)).isSameAs(scratch);
        assertThat(arrays.scratch(200).length).isGreaterThanOrEqualTo(200);
    }
}
