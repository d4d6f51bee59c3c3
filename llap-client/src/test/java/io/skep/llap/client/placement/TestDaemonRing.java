package io.skep.llap.client.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.llap.client.DaemonIdentity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestDaemonRing {
    private static final int RANGES = 20_000;

    @Test
    void oneDaemonHasAll() {
        assertThat(homes(new DaemonRing(daemons(7)))).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 16, 50, 100})
    void aDaemonThatComesTakesItsPartAndNothingElseMoves(int count) {
        int[] slots = IntStream.range(0, count).toArray();
        int[] before = homes(new DaemonRing(daemons(slots)));
        int[] after =
                homes(new DaemonRing(daemons(IntStream.rangeClosed(0, count).toArray())));
        int moved = 0;
        for (int i = 0; i < RANGES; i++) {
            if (before[i] != after[i]) {
                assertThat(after[i]).isEqualTo(count);
                moved++;
            }
        }
        double part = (double) RANGES / (count + 1);
        assertThat((double) moved).isBetween(part * 0.6, part * 1.4);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 16, 50, 100})
    void aDaemonThatGoesLeavesItsPartToAllOthers(int count) {
        int gone = count / 2;
        int[] before = homes(new DaemonRing(daemons(IntStream.range(0, count).toArray())));
        int[] left = IntStream.range(0, count).filter(slot -> slot != gone).toArray();
        int[] after = homes(new DaemonRing(daemons(left)));
        int[] heirs = new int[count];
        for (int i = 0; i < RANGES; i++) {
            if (before[i] == gone) {
                heirs[left[after[i]]]++;
            } else {
                assertThat(left[after[i]]).isEqualTo(before[i]);
            }
        }
        double part = (double) RANGES / count;
        assertThat((double) Arrays.stream(heirs).sum()).isBetween(part * 0.6, part * 1.4);
        assertThat(Arrays.stream(heirs).filter(share -> share > 0).count())
                .isGreaterThanOrEqualTo(Math.min(count - 1, 10));
    }

    @Test
    void theNextHolderOfASlotGetsItsRanges() {
        List<DaemonIdentity> replaced = new ArrayList<>(daemons(0, 1, 2));
        replaced.set(1, new DaemonIdentity(1, "a later life", 4));
        assertThat(homes(new DaemonRing(replaced))).isEqualTo(homes(new DaemonRing(daemons(0, 1, 2))));
    }

    @Test
    void theOrderOfTheListDoesNotMatter() {
        int[] one = homes(new DaemonRing(daemons(4, 5, 6)));
        int[] other = homes(new DaemonRing(daemons(6, 5, 4)));
        assertThat(Arrays.stream(other).map(i -> 2 - i).toArray()).isEqualTo(one);
    }

    @Test
    void homesFollowExecutors() {
        List<DaemonIdentity> unequal = List.of(new DaemonIdentity(0, "a", 4), new DaemonIdentity(1, "b", 12));
        long small = Arrays.stream(homes(new DaemonRing(unequal)))
                .filter(home -> home == 0)
                .count();
        assertThat(small).isBetween(RANGES / 8L, RANGES * 3L / 8);
    }

    @Test
    void aWalkBeginsAtHomeAndMeetsEachDaemonOnce() {
        DaemonRing ring = new DaemonRing(daemons(0, 1, 2, 3));
        int[] walked = new int[8];
        for (int i = 0; i < 100; i++) {
            assertThat(ring.walk(key(i), walked)).isEqualTo(4);
            assertThat(walked[0]).isEqualTo(ring.home(key(i)));
            assertThat(Arrays.copyOf(walked, 4)).containsExactlyInAnyOrder(0, 1, 2, 3);
        }
    }

    @Test
    void needsADaemon() {
        assertThatThrownBy(() -> new DaemonRing(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static int[] homes(DaemonRing ring) {
        return IntStream.range(0, RANGES).map(i -> ring.home(key(i))).toArray();
    }

    private static long key(int i) {
        return DaemonRing.key("hdfs://n/warehouse/t/day=" + i / 10 + "/f", i % 10 * (32L << 20));
    }

    private static List<DaemonIdentity> daemons(int... slots) {
        return Arrays.stream(slots)
                .mapToObj(slot -> new DaemonIdentity(slot, "i" + slot, 4))
                .toList();
    }
}
