package io.skep.tez.session;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How many Tez sessions there are.
 *
 * @param most at once
 * @param queues of YARN that sessions are kept in; those of a query that names none
 * @param perQueue sessions that are kept in each of them
 * @param idle after which a session beyond those ends
 */
public record SessionPoolConfig(int most, List<String> queues, int perQueue, Duration idle) {
    private static final List<String> NO_QUEUE = List.of("");

    public SessionPoolConfig {
        queues = List.copyOf(queues);
        if (most < 1 || queues.isEmpty()) {
            throw new IllegalArgumentException("a session at least in a queue at least: " + most + ", " + queues);
        }
    }

    /** Where there are no queues, and sessions neither die nor end early: in this process. */
    public static SessionPoolConfig local(int most) {
        return new SessionPoolConfig(most, NO_QUEUE, 0, Duration.ZERO);
    }

    /** Any of which will do for a query that names one or none. */
    List<String> queuesFor(Optional<String> named) {
        return queues.equals(NO_QUEUE) ? queues : named.map(List::of).orElse(queues);
    }

    int kept(String queue) {
        return queues.contains(queue) ? perQueue : 0;
    }
}
