package io.skep.tez.session;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The numbers of Tez sessions.
 *
 * @param maxSessions maximum at once
 * @param queues queues of YARN in which sessions are kept; used by queries that name none
 * @param perQueue sessions that are kept in each of them
 * @param idle idle time after which a session in excess of those ends
 */
public record SessionPoolConfig(int maxSessions, List<String> queues, int perQueue, Duration idle) {
    private static final List<String> NO_QUEUE = List.of("");

    public SessionPoolConfig {
        queues = List.copyOf(queues);
        if (maxSessions < 1 || queues.isEmpty()) {
            throw new IllegalArgumentException(
                    "a session at least in a queue at least: " + maxSessions + ", " + queues);
        }
    }

    /**
     * Creates the configuration for sessions in this process. It has no queues, and sessions neither die nor end early.
     */
    public static SessionPoolConfig local(int most) {
        return new SessionPoolConfig(most, NO_QUEUE, 0, Duration.ZERO);
    }

    /** Returns the queues for a query that names one or none. Any of them will do. */
    List<String> queuesFor(Optional<String> named) {
        return queues.equals(NO_QUEUE) ? queues : named.map(List::of).orElse(queues);
    }

    int kept(String queue) {
        return queues.contains(queue) ? perQueue : 0;
    }
}
