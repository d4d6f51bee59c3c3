package io.skep.llap.server.yarn;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** When and where daemons failed: how long to wait before the next one, and which nodes to leave out. Owned by one thread. */
final class NodeFailures {
    /** A failure is forgotten after it. */
    static final long MEMORY_MILLIS = 10 * 60_000;

    /** So many failures leave a node out. */
    static final int BAD_NODE = 3;

    private static final long FIRST_PAUSE_MILLIS = 1000;
    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    private final Deque<Long> rounds = new ArrayDeque<>();
    private final Map<String, Deque<Long>> nodes = new TreeMap<>();

    /** Failures that come together, say because a rack lost its power, make the pause longer only once. */
    void add(String node, long nowMillis) {
        forget(nowMillis);
        if (rounds.isEmpty() || nowMillis - rounds.getLast() >= FIRST_PAUSE_MILLIS) {
            rounds.add(nowMillis);
        }
        nodes.computeIfAbsent(node, ignored -> new ArrayDeque<>()).add(nowMillis);
    }

    /** Whether the next daemon is still to wait: a second after the first failure, doubled with each up to a minute. */
    boolean pausing(long nowMillis) {
        forget(nowMillis);
        if (rounds.isEmpty()) {
            return false;
        }
        long pause = FIRST_PAUSE_MILLIS << Math.min(rounds.size() - 1, 16);
        return nowMillis - rounds.getLast() < Math.min(pause, LONGEST_PAUSE_MILLIS);
    }

    /** Nodes where daemons failed again and again. */
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
