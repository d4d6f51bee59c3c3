package io.skep.llap.server.yarn;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides what is to be done so that those daemons run that are wanted. It knows neither YARN nor a clock. Owned by one thread.
 *
 * <p>Daemons are spread, one a node, as long as there are nodes without; when YARN gives none of those for a while, because they
 * are full, any node will do. A rolling restart stops one daemon when all others are ready, so that at most one is missing.
 */
final class Reconciler {
    /** Localizing a package on a slow node takes a while; a daemon that is not ready after it is taken for failed. */
    static final long LONGEST_START_MILLIS = 180_000;

    /** How long a node of its own is waited for. */
    static final long SPREAD_MILLIS = 15_000;

    private final NodeFailures failures;
    private long askingSinceMillis = -1;

    Reconciler(NodeFailures failures) {
        this.failures = failures;
    }

    /**
     * What to do now.
     *
     * @param requests containers that YARN is to be asked for in all, those asked for before included
     * @param avoid nodes that are not wanted; containers there are given back
     * @param spread whether each daemon is to have a node of its own
     * @param stop ids of containers to be stopped because they are not wanted
     * @param late ids of containers to be stopped because their daemons did not come up
     */
    record Decision(int requests, Set<String> avoid, boolean spread, List<String> stop, List<String> late) {}

    /** @param nodes how many nodes the cluster has */
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

    /** A container has come: the next one may wait for a node of its own again. */
    void granted(long nowMillis) {
        askingSinceMillis = nowMillis;
    }

    /** Those that serve least go first: not ready, of an earlier generation, started last. */
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

    /** @param settled whether no container is on its way out */
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
