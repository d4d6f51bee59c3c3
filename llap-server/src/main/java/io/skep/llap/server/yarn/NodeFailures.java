package io.skep.llap.server.yarn;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Records when and where daemons failed. Determines how long to wait before the next start, and which nodes to avoid.
 * Owned by one thread.
 */
final class NodeFailures {
    /** The time after which a failure is forgotten. */
    static final long MEMORY_MILLIS = 10 * 60_000;

    /** The number of failures after which a node is avoided. */
    static final int BAD_NODE = 3;

    private static final long FIRST_PAUSE_MILLIS = 1000;
    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    private final Deque<Long> rounds = new ArrayDeque<>();
    private final Map<String, Deque<Long>> nodes = new TreeMap<>();

    /**
     * Adds a failure. Failures that occur together, for example because a rack lost power, increase the pause only
     * once.
     */
    void add(String node, long nowMillis) {
        forget(nowMillis);
        if (rounds.isEmpty() || nowMillis - rounds.getLast() >= FIRST_PAUSE_MILLIS) {
            rounds.add(nowMillis);
        }
        nodes.computeIfAbsent(node, ignored -> new ArrayDeque<>()).add(nowMillis);
    }

    /**
     * Whether the next daemon must still wait. The pause is a second after the first failure, and doubles with each one
     * up to a minute.
     */
    boolean pausing(long nowMillis) {
        forget(nowMillis);
        if (rounds.isEmpty()) {
            return false;
        }
        long pause = FIRST_PAUSE_MILLIS << Math.min(rounds.size() - 1, 16);
        return nowMillis - rounds.getLast() < Math.min(pause, LONGEST_PAUSE_MILLIS);
    }

    /** Returns the nodes where daemons failed repeatedly. */
    Set<String> badNodes(long nowMillis) {
        forget(nowMillis);
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().size() >= BAD_NODE)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private void forget(long nowMillis) {
        long oldest = nowMillis - MEMORY_MILLIS;
        rounds.removeIf(at -> at < oldest);
        nodes.values().forEach(times -> times.removeIf(at -> at < oldest));
        nodes.values().removeIf(Deque::isEmpty);
    }
}
