package io.skep.llap.client.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.PlacementStats;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestSplitPlacement {
    private static final int EXECUTORS = 4;
    private static final long SPLIT = 32 << 20;
    private static final ReadCosts COSTS = ReadCosts.MEASURED;

    private final AtomicLong now = new AtomicLong();
    private final List<OutstandingWork> daemons = IntStream.range(0, 5)
            .mapToObj(slot -> new OutstandingWork(new DaemonIdentity(slot, "i" + slot, EXECUTORS), now::get))
            .toList();
    private final DaemonLoad[] said = new DaemonLoad[5];
    private final SplitPlacement placement =
            new SplitPlacement(daemons, daemon -> said[daemon], COSTS, new HotRanges(now::get));
    private final DaemonRing ring =
            new DaemonRing(daemons.stream().map(OutstandingWork::daemon).toList());

    TestSplitPlacement() {
        Arrays.fill(said, DaemonLoad.NONE);
    }

    @Test
    void idleDaemonsReadWhatIsAtHomeThere() {
        QueryPlacement round = placement.begin();
        for (int i = 0; i < 100; i++) {
            assertThat(round.place(key(i), SPLIT)).isEqualTo(ring.home(key(i)));
        }
        assertThat(round.stats()).isEqualTo(new PlacementStats(100, 0, 0));
    }

    @Test
    void aHomeIsWaitedForAsLongAsReadingElsewhereWouldTakeLonger() {
        int home = ring.home(key(1));
        daemons.get(home).begin((COSTS.awayNanos(SPLIT) - 1000) * EXECUTORS, EXECUTORS);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        daemons.get(home).begin(10_000L * EXECUTORS, 1);
        QueryPlacement round = placement.begin();
        int elsewhere = round.place(key(1), SPLIT);
        int[] walked = new int[2];
        ring.walk(key(1), walked);
        assertThat(elsewhere).isEqualTo(walked[1]);
        assertThat(round.stats()).isEqualTo(new PlacementStats(0, 0, 1));
    }

    @Test
    void whenAllAreBusyTheHomeIsAsGoodAsAny() {
        daemons.forEach(daemon -> daemon.begin(3_600_000_000_000L, EXECUTORS));
        assertThat(placement.begin().place(key(3), SPLIT)).isEqualTo(ring.home(key(3)));
    }

    @Test
    void whatOthersHaveGivenToADaemonCountsAndWhatIsOursCountsOnce() {
        int home = ring.home(key(1));
        long steps = COSTS.awayNanos(SPLIT) / COSTS.stepNanos() * EXECUTORS + EXECUTORS;
        said[home] = new DaemonLoad(EXECUTORS, 0, 0);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        said[home] = new DaemonLoad(EXECUTORS, (int) steps, 0);
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
        daemons.get(home).begin(1000, EXECUTORS + (int) steps);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
    }

    /** A daemon's report of its steps may be old and may count steps of this process that have finished. */
    @Test
    void stepsOfOthersAreTakenToBeLikeTheOwnOnesOfLately() {
        int home = ring.home(key(1));
        for (int i = 0; i < 100; i++) {
            daemons.get(home).begin(COSTS.stepNanos() / 100, 1);
            daemons.get(home).end(COSTS.stepNanos() / 100, 1);
        }
        long steps = COSTS.awayNanos(SPLIT) / COSTS.stepNanos() * EXECUTORS;
        said[home] = new DaemonLoad(EXECUTORS, (int) (50 * steps), 0);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        said[home] = new DaemonLoad(EXECUTORS, (int) (200 * steps), 0);
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
    }

    @Test
    void ownStepsThatHaveEndedAreNotTakenForThoseOfOthers() {
        int home = ring.home(key(1));
        long large = 100 * COSTS.awayNanos(SPLIT);
        daemons.get(home).begin(large, EXECUTORS);
        daemons.get(home).begin(large, EXECUTORS);
        daemons.get(home).end(large, EXECUTORS);
        daemons.get(home).end(large, EXECUTORS);
        said[home] = new DaemonLoad(EXECUTORS, EXECUTORS, 0);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        now.addAndGet(2 * OutstandingWork.LATELY_NANOS);
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
    }

    @Test
    void aDaemonThatIsSilentIsLeftAlone() {
        int home = ring.home(key(1));
        said[home] = new DaemonLoad(0, 0, COSTS.awayNanos(SPLIT) / 2);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        said[home] = new DaemonLoad(0, 0, 2 * COSTS.awayNanos(SPLIT));
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
        IntStream.range(0, 100)
                .forEach(i -> assertThat(placement.begin().anywhere(key(i)))
                        .satisfiesAnyOf(
                                daemon -> assertThat(daemon).isNotEqualTo(home),
                                daemon -> assertThat(ring.home(key(i))).isEqualTo(home)));
    }

    @Test
    void aDaemonThatTakesLongerThanItShouldGetsLess() {
        int home = ring.home(key(1));
        long wait = COSTS.awayNanos(SPLIT) / 2;
        daemons.get(home).begin(wait * EXECUTORS, EXECUTORS);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        IntStream.range(0, 100).forEach(i -> daemons.get(home).recordDuration(100_000_000, 400_000_000));
        assertThat(daemons.get(home).slowness()).isBetween(3.5, 4.0);
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
        // When all daemons are slow, reading elsewhere gains nothing.
        for (OutstandingWork daemon : daemons) {
            IntStream.range(0, 100).forEach(i -> daemon.recordDuration(100_000_000, 400_000_000));
        }
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        // Very short tasks are not used for judging a daemon.
        IntStream.range(0, 100).forEach(i -> daemons.get(home).recordDuration(1000, 10_000_000));
        assertThat(daemons.get(home).slowness()).isBetween(3.5, 4.0);
        IntStream.range(0, 100).forEach(i -> daemons.get(home).recordDuration(100_000_000, 50_000_000));
        assertThat(daemons.get(home).slowness()).isBetween(1.0, 1.1);
    }

    /** A slow daemon gets no tasks, so no task would show that it has recovered. */
    @Test
    void aDaemonThatWasSlowIsTriedAgain() {
        int home = ring.home(key(1));
        IntStream.range(0, 100).forEach(i -> daemons.get(home).recordDuration(100_000_000, 10_000_000_000L));
        assertThat(placement.begin().place(key(1), SPLIT)).isNotEqualTo(home);
        now.addAndGet(10 * OutstandingWork.HALF_LIFE_NANOS);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
    }

    @Test
    void noDaemonEndsLaterThanItsNeighboursByMoreThanAReadElsewhere() {
        QueryPlacement round = placement.begin();
        double[] nanos = new double[5];
        for (int i = 0; i < 5000; i++) {
            int daemon = round.place(key(i), SPLIT);
            nanos[daemon] += COSTS.cachedNanos(SPLIT) + (daemon == ring.home(key(i)) ? 0 : COSTS.awayNanos(SPLIT));
        }
        double[] sorted =
                Arrays.stream(nanos).map(sum -> sum / EXECUTORS).sorted().toArray();
        double slack = COSTS.awayNanos(SPLIT) + (double) COSTS.cachedNanos(SPLIT);
        assertThat(sorted[4] - sorted[0]).isLessThanOrEqualTo(slack);
        assertThat(round.stats().ranges()).isEqualTo(5000);
        assertThat(round.stats().home()).isGreaterThan(4500);
    }

    @Test
    void whatIsReadVeryMuchGetsMoreHomes() {
        int home = ring.home(key(1));
        daemons.get(home).begin(COSTS.cachedNanos(SPLIT), 1);
        assertThat(placement.begin().place(key(1), SPLIT)).isEqualTo(home);
        // The range keeps two of the home's four executors busy for a minute.
        for (long until = 2 * HotRanges.HALF_LIFE_NANOS; now.get() < until; ) {
            placement.begin().place(key(1), SPLIT);
            now.addAndGet(COSTS.cachedNanos(SPLIT) / 2);
        }
        QueryPlacement round = placement.begin();
        int[] walked = new int[2];
        ring.walk(key(1), walked);
        assertThat(round.place(key(1), SPLIT)).isEqualTo(walked[1]);
        assertThat(round.stats()).isEqualTo(new PlacementStats(0, 1, 0));
    }

    @Test
    void heatPasses() {
        HotRanges heat = new HotRanges(now::get);
        long executor = (long) (1.01 * HotRanges.HALF_LIFE_NANOS / Math.log(2));
        assertThat(heat.homes(1, executor, EXECUTORS)).isEqualTo(2);
        assertThat(heat.homes(1, executor, EXECUTORS)).isEqualTo(3);
        assertThat(heat.homes(1, 100 * executor, EXECUTORS)).isEqualTo(HotRanges.MAX_HOMES);
        now.addAndGet(20 * HotRanges.HALF_LIFE_NANOS);
        assertThat(heat.homes(1, 0, EXECUTORS)).isEqualTo(1);
        assertThat(heat.homes(2, 0, EXECUTORS)).isEqualTo(1);
    }

    @Test
    void hotRangesStayKnownWhateverIsReadBesides() {
        HotRanges heat = new HotRanges(now::get);
        long executor = (long) (1.01 * HotRanges.HALF_LIFE_NANOS / Math.log(2));
        assertThat(heat.homes(key(7), 2 * executor, EXECUTORS)).isEqualTo(3);
        for (int i = 100; i < 500_000; i++) {
            heat.homes(key(i), 1000, EXECUTORS);
        }
        assertThat(heat.homes(key(7), 0, EXECUTORS)).isEqualTo(3);
    }

    @Test
    void workThatIsAtHomeNowhereGoesToTheFreerOfTwo() {
        daemons.get(2).begin(1_000_000_000L, EXECUTORS);
        long there = IntStream.range(0, 1000)
                .filter(i -> placement.begin().anywhere(key(i)) == 2)
                .count();
        assertThat(there).isLessThan(200);
        for (int i = 0; i < 4; i++) {
            int daemon = i < 2 ? i : i + 1;
            assertThat(IntStream.range(0, 1000)
                            .filter(k -> placement.begin().anywhere(key(k)) == daemon)
                            .count())
                    .isGreaterThan(100);
        }
    }

    private static long key(int i) {
        return DaemonRing.key("hdfs://n/warehouse/t/day=" + i / 10 + "/f", i % 10 * SPLIT);
    }
}
