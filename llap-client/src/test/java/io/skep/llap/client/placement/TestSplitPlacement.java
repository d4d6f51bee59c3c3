package io.skep.llap.client.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.llap.client.DaemonIdentity;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestSplitPlacement {
    private static final int SPLITS = 4000;

    @Test
    void oneDaemonGetsAll() {
        assertThat(new SplitPlacement(daemons(7)).place(keys(), weights())).containsOnly(0);
    }

    @Test
    void loadIsBounded() {
        int[] placed = new SplitPlacement(daemons(0, 1, 2, 3, 4)).place(keys(), weights());
        for (int daemon = 0; daemon < 5; daemon++) {
            assertThat(count(placed, daemon)).isBetween(SPLITS / 10, SPLITS / 4 + 1);
        }
    }

    @Test
    void capacityFollowsExecutors() {
        List<DaemonIdentity> unequal = List.of(new DaemonIdentity(0, "a", 2), new DaemonIdentity(1, "b", 30));
        int[] placed = new SplitPlacement(unequal).place(keys(), weights());
        assertThat(count(placed, 0)).isLessThanOrEqualTo(SPLITS * 2 / 32 * 5 / 4);
    }

    @Test
    void sameSplitsGoToSameDaemons() {
        int[] first = new SplitPlacement(daemons(0, 1, 2)).place(keys(), weights());
        int[] again = new SplitPlacement(daemons(0, 1, 2)).place(keys(), weights());
        assertThat(again).isEqualTo(first);
    }

    @Test
    void aDaemonThatLeavesMovesFewSplitsOfTheOthers() {
        int[] before = new SplitPlacement(daemons(0, 1, 2, 3)).place(keys(), weights());
        int[] after = new SplitPlacement(daemons(0, 1, 2)).place(keys(), weights());
        long moved = IntStream.range(0, SPLITS)
                .filter(i -> before[i] != 3 && before[i] != after[i])
                .count();
        assertThat(moved).isLessThan(SPLITS / 5);
    }

    @Test
    void partsOfAFileSpread() {
        long[] keys = IntStream.range(0, 64)
                .mapToLong(i -> SplitPlacement.key("file:/t/f", i * 65536L))
                .toArray();
        long[] weights = new long[64];
        Arrays.fill(weights, 65536);
        int[] placed = new SplitPlacement(daemons(0, 1)).place(keys, weights);
        assertThat(count(placed, 0)).isBetween(20, 44);
    }

    @Test
    void needsADaemon() {
        assertThatThrownBy(() -> new SplitPlacement(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static int count(int[] placed, int daemon) {
        return (int) Arrays.stream(placed).filter(p -> p == daemon).count();
    }

    private static long[] keys() {
        return IntStream.range(0, SPLITS)
                .mapToLong(i -> SplitPlacement.key("hdfs://n/warehouse/t/day=" + i / 10 + "/f", i % 10 * 1_000_000L))
                .toArray();
    }

    private static long[] weights() {
        long[] weights = new long[SPLITS];
        Arrays.fill(weights, 1_000_000);
        return weights;
    }

    private static List<DaemonIdentity> daemons(int... slots) {
        return Arrays.stream(slots)
                .mapToObj(slot -> new DaemonIdentity(slot, "i" + slot, 2))
                .toList();
    }
}
