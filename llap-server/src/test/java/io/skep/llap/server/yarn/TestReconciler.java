package io.skep.llap.server.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.llap.server.yarn.Reconciler.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestReconciler {
    private static final ContainerMemory MEMORY = ContainerMemory.divide(1L << 30, Optional.empty(), Optional.empty());

    private final NodeFailures failures = new NodeFailures();
    private final Reconciler reconciler = new Reconciler(failures);

    private static DesiredState wanted(int instances, long generation) {
        return new DesiredState("application_1_1", instances, generation, MEMORY, 1, false);
    }

    private static DaemonContainer ready(int id, String node, long generation) {
        return new DaemonContainer("c" + id, node, generation, DaemonPhase.READY, id);
    }

    @Test
    void asksForWhatIsMissing() {
        Decision none = reconciler.decide(wanted(3, 1), List.of(), 5, 0);
        assertThat(none.requests()).isEqualTo(3);
        assertThat(none.stop()).isEmpty();
        Decision some = reconciler.decide(wanted(3, 1), List.of(ready(1, "a", 1)), 5, 0);
        assertThat(some.requests()).isEqualTo(2);
        assertThat(some.avoid()).containsExactly("a");
        assertThat(some.spread()).isTrue();
    }

    @Test
    void aStoppingDaemonIsReplacedAtOnceAndItsNodeIsFree() {
        for (DaemonPhase phase : List.of(DaemonPhase.LEAVING, DaemonPhase.STOPPING)) {
            DaemonContainer ending = ready(1, "a", 1).in(phase, 0);
            Decision decision = reconciler.decide(wanted(1, 1), List.of(ending), 2, 0);
            assertThat(decision.requests()).isEqualTo(1);
            assertThat(decision.avoid()).isEmpty();
        }
    }

    @Test
    void daemonsShareNodesWhenThereAreTooFewOrNoneIsGiven() {
        List<DaemonContainer> two = List.of(ready(1, "a", 1), ready(2, "b", 1));
        assertThat(reconciler.decide(wanted(3, 1), two, 2, 0).avoid()).isEmpty();
        Reconciler other = new Reconciler(failures);
        assertThat(other.decide(wanted(3, 1), two, 3, 0).avoid()).containsExactlyInAnyOrder("a", "b");
        Decision late = other.decide(wanted(3, 1), two, 3, Reconciler.SPREAD_MILLIS + 1);
        assertThat(late.avoid()).isEmpty();
        assertThat(late.spread()).isFalse();
        other.containerAllocated(Reconciler.SPREAD_MILLIS + 1);
        assertThat(other.decide(wanted(3, 1), two, 3, Reconciler.SPREAD_MILLIS + 2)
                        .avoid())
                .isNotEmpty();
    }

    @Test
    void aNodeWhereDaemonsFailIsLeftOutUnlessAllAre() {
        for (int i = 0; i < NodeFailures.BAD_NODE; i++) {
            failures.add("a", 0);
        }
        assertThat(reconciler.decide(wanted(1, 1), List.of(), 2, 5000).avoid()).containsExactly("a");
        assertThat(reconciler.decide(wanted(1, 1), List.of(), 1, 5000).avoid()).isEmpty();
        // A bad node is not used even when all others are occupied.
        List<DaemonContainer> other = List.of(ready(1, "b", 1));
        assertThat(reconciler.decide(wanted(2, 1), other, 2, 5000).avoid()).containsExactly("a");
    }

    @Test
    void aCrashMakesTheNextOneWait() {
        failures.add("a", 1000);
        assertThat(reconciler.decide(wanted(1, 1), List.of(), 3, 1500).requests())
                .isZero();
        assertThat(reconciler.decide(wanted(1, 1), List.of(), 3, 2000).requests())
                .isEqualTo(1);
    }

    @Test
    void surplusGoesFromThoseThatServeLeast() {
        DaemonContainer starting = new DaemonContainer("c9", "d", 2, DaemonPhase.STARTING, 9);
        List<DaemonContainer> four = List.of(ready(1, "a", 2), ready(2, "b", 1), ready(3, "c", 2), starting);
        assertThat(reconciler.decide(wanted(3, 2), four, 9, 10).stop()).containsExactly("c9");
        assertThat(reconciler.decide(wanted(2, 2), four, 9, 10).stop()).containsExactly("c9", "c2");
        assertThat(reconciler.decide(wanted(1, 2), four, 9, 10).stop()).containsExactly("c9", "c2", "c3");
        assertThat(reconciler.decide(wanted(1, 2).stopped(), four, 9, 10).stop())
                .hasSize(4);
    }

    @Test
    void aRollingRestartTakesOneAtATime() {
        List<DaemonContainer> old = List.of(ready(1, "a", 1), ready(2, "b", 1), ready(3, "c", 1));
        assertThat(reconciler.decide(wanted(3, 2), old, 3, 0).stop()).containsExactly("c1");
        List<DaemonContainer> leaving =
                List.of(ready(1, "a", 1).in(DaemonPhase.LEAVING, 0), ready(2, "b", 1), ready(3, "c", 1));
        assertThat(reconciler.decide(wanted(3, 2), leaving, 3, 0).stop()).isEmpty();
        List<DaemonContainer> stopping =
                List.of(ready(1, "a", 1).in(DaemonPhase.STOPPING, 0), ready(2, "b", 1), ready(3, "c", 1));
        assertThat(reconciler.decide(wanted(3, 2), stopping, 3, 0).stop()).isEmpty();
        DaemonContainer next = new DaemonContainer("c4", "a", 2, DaemonPhase.STARTING, 0);
        List<DaemonContainer> coming = List.of(ready(2, "b", 1), ready(3, "c", 1), next);
        assertThat(reconciler.decide(wanted(3, 2), coming, 3, 0).stop()).isEmpty();
        List<DaemonContainer> come = List.of(ready(2, "b", 1), ready(3, "c", 1), next.in(DaemonPhase.READY, 1));
        assertThat(reconciler.decide(wanted(3, 2), come, 3, 0).stop()).containsExactly("c2");
    }

    @Test
    void anOutdatedDaemonThatDoesNotServeGoesFirst() {
        DaemonContainer hung = new DaemonContainer("c9", "c", 1, DaemonPhase.STARTING, 0);
        List<DaemonContainer> old = List.of(ready(1, "a", 1), ready(2, "b", 1), hung);
        assertThat(reconciler.decide(wanted(3, 2), old, 3, 0).stop()).containsExactly("c9");
    }

    @Test
    void aDaemonThatDoesNotComeUpIsReplaced() {
        DaemonContainer slow = new DaemonContainer("c1", "a", 1, DaemonPhase.STARTING, 0);
        Decision inTime = reconciler.decide(wanted(1, 1), List.of(slow), 3, Reconciler.LONGEST_START_MILLIS);
        assertThat(inTime.late()).isEmpty();
        Decision late = reconciler.decide(wanted(1, 1), List.of(slow), 3, Reconciler.LONGEST_START_MILLIS + 1);
        assertThat(late.late()).containsExactly("c1");
        assertThat(late.requests()).isEqualTo(1);
    }

    /** A cluster that allocates, starts and loses containers at random settles on the desired state. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void settlesWhateverHappens(long seed) {
        Random random = new Random(seed);
        List<DaemonContainer> containers = new ArrayList<>();
        DesiredState wanted = wanted(3, 1);
        int nodes = 1 + random.nextInt(6);
        int lost = 0;
        for (int step = 0; step < 4000; step++) {
            long now = step * 250L;
            boolean calm = step > 1000;
            if (!calm && random.nextInt(100) == 0) {
                wanted = random.nextBoolean()
                        ? wanted.withInstances(random.nextInt(8))
                        : wanted(wanted.instances(), wanted.generation() + 1);
            }
            if (!calm && random.nextInt(50) == 0 && !containers.isEmpty()) {
                failures.add(
                        containers.remove(random.nextInt(containers.size())).node(), now);
                lost++;
            }
            apply(reconciler.decide(wanted, containers, nodes, now), containers, wanted, nodes, now, random);
        }
        DesiredState last = wanted;
        assertThat(containers).hasSize(last.instances()).allSatisfy(one -> {
            assertThat(one.phase()).isEqualTo(DaemonPhase.READY);
            assertThat(one.generation()).isEqualTo(last.generation());
        });
        assertThat(lost).isPositive();
    }

    private int given;

    private void apply(
            Decision decision,
            List<DaemonContainer> containers,
            DesiredState wanted,
            int nodes,
            long now,
            Random random) {
        containers.replaceAll(one -> {
            boolean stop = decision.stop().contains(one.id()) || decision.late().contains(one.id());
            boolean up = one.phase() == DaemonPhase.STARTING && random.nextInt(8) == 0;
            DaemonPhase end = random.nextBoolean() ? DaemonPhase.LEAVING : DaemonPhase.STOPPING;
            return stop ? one.in(end, now) : up ? one.in(DaemonPhase.READY, now) : one;
        });
        containers.removeIf(one -> one.phase().ends() && random.nextInt(4) == 0);
        long live = containers.stream().filter(one -> !one.phase().ends()).count();
        assertThat(live + decision.requests()).isLessThanOrEqualTo(Math.max(live, wanted.instances()));
        String node = "node" + random.nextInt(nodes);
        if (decision.requests() > 0 && !decision.avoid().contains(node) && random.nextInt(3) == 0) {
            containers.add(new DaemonContainer("c" + given++, node, wanted.generation(), DaemonPhase.STARTING, now));
            reconciler.containerAllocated(now);
        }
    }
}
