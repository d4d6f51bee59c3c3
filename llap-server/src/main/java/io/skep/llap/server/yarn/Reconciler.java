package io.skep.llap.server.yarn;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which actions bring the running daemons to the desired state. It is independent of YARN and of a clock. Owned
 * by one thread.
 *
 * <p>Daemons are spread, one per node, while there are nodes without a daemon. When YARN allocates none of those for
 * some time because they are full, any node is accepted. A rolling restart stops one daemon when all others are ready,
 * so that at most one is missing.
 */
final class Reconciler {
    /**
     * A daemon that is not ready after this time counts as failed. The time allows for localizing a package on a slow
     * node.
     */
    static final long LONGEST_START_MILLIS = 180_000;

    /** How long to wait for a node without a daemon. */
    static final long SPREAD_MILLIS = 15_000;

    private final NodeFailures failures;
    private long askingSinceMillis = -1;

    Reconciler(NodeFailures failures) {
        this.failures = failures;
    }

    /**
     * The actions to take.
     *
     * @param requests total number of containers to request from YARN, including earlier requests
     * @param avoid nodes to avoid; containers there are released
     * @param spread whether each daemon must have a node of its own
     * @param stop ids of containers to stop because they are not wanted
     * @param late ids of containers to stop because their daemons did not start
     */
    record Decision(int requests, Set<String> avoid, boolean spread, List<String> stop, List<String> late) {}

    /** @param nodes number of nodes of the cluster */
    Decision decide(DesiredState wanted, Collection<DaemonContainer> containers, int nodes, long nowMillis) {
        int target = wanted.stop() ? 0 : wanted.instances();
        List<String> late = containers.stream()
                .filter(one -> one.phase() == DaemonPhase.STARTING)
                .filter(one -> nowMillis - one.sinceMillis() > LONGEST_START_MILLIS)
                .map(DaemonContainer::id)
                .toList();
        List<DaemonContainer> live = containers.stream()
                .filter(one -> !one.phase().ends())
                .filter(one -> !late.contains(one.id()))
                .toList();
        int missing = Math.max(0, target - live.size());
        int requests = failures.pausing(nowMillis) ? 0 : missing;
        noteAsking(requests, nowMillis);
        boolean settled = live.size() == containers.size();
        List<String> stop = live.size() > target ? surplus(live, target) : outdated(wanted, live, target, settled);
        Set<String> bad = failures.badNodes(nowMillis);
        Set<String> avoid = new HashSet<>(bad.size() < nodes ? bad : Set.of());
        Set<String> occupied = live.stream().map(DaemonContainer::node).collect(Collectors.toSet());
        boolean waited = askingSinceMillis >= 0 && nowMillis - askingSinceMillis > SPREAD_MILLIS;
        boolean spread = !waited
                && Stream.concat(avoid.stream(), occupied.stream()).distinct().count() < nodes;
        if (spread) {
            avoid.addAll(occupied);
        }
        return new Decision(requests, Set.copyOf(avoid), spread, stop, late);
    }

    private void noteAsking(int requests, long nowMillis) {
        if (requests == 0) {
            askingSinceMillis = -1;
        } else if (askingSinceMillis < 0) {
            askingSinceMillis = nowMillis;
        }
    }

    /** Notes that a container was allocated. The next one may wait for a node of its own again. */
    void containerAllocated(long nowMillis) {
        askingSinceMillis = nowMillis;
    }

    /** Selects surplus daemons. The least useful ones come first: not ready, of an earlier generation, started last. */
    private static List<String> surplus(List<DaemonContainer> live, int target) {
        return live.stream()
                .sorted(Comparator.comparing((DaemonContainer one) -> one.phase() == DaemonPhase.READY)
                        .thenComparingLong(DaemonContainer::generation)
                        .thenComparing(Comparator.comparingLong(DaemonContainer::sinceMillis)
                                .reversed())
                        .thenComparing(DaemonContainer::id))
                .limit(live.size() - target)
                .map(DaemonContainer::id)
                .toList();
    }

    /** @param settled whether no container is about to end */
    private static List<String> outdated(DesiredState wanted, List<DaemonContainer> live, int target, boolean settled) {
        List<DaemonContainer> old = live.stream()
                .filter(one -> one.generation() < wanted.generation())
                .sorted(Comparator.comparing(DaemonContainer::id))
                .toList();
        List<String> useless = old.stream()
                .filter(one -> one.phase() == DaemonPhase.STARTING)
                .map(DaemonContainer::id)
                .toList();
        boolean allReady = live.stream().allMatch(one -> one.phase() == DaemonPhase.READY);
        if (!useless.isEmpty() || !settled || !allReady || live.size() < target) {
            return useless;
        }
        return old.stream().limit(1).map(DaemonContainer::id).toList();
    }
}
