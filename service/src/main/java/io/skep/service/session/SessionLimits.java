package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts open sessions by user, by address and by both, and refuses those beyond the limits. Thread-safe. */
final class SessionLimits {
    private final SessionConfig config;

    @GuardedBy("this")
    private final Map<String, Integer> users = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> addresses = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> pairs = new HashMap<>();

    @GuardedBy("this")
    private int all;

    SessionLimits(SessionConfig config) {
        this.config = config;
    }

    /**
     * Counts a session before it is opened.
     *
     * @throws SkepException QUEUE_FULL with Hive's message
     */
    synchronized void enter(SessionClient client) {
        String pair = pair(client);
        if (all >= config.maxSessions()) {
            throw full("the server has " + all + " sessions open, as many as " + SessionConfig.MAX_SESSIONS.name()
                    + " allows");
        }
        if (isFull(users, client.user(), config.maxPerUser())) {
            throw full("Connection limit per user reached (user: " + client.user() + " limit: " + config.maxPerUser()
                    + ")");
        }
        if (isFull(addresses, client.address(), config.maxPerAddress())) {
            throw full("Connection limit per ipaddress reached (ipaddress: " + client.address() + " limit: "
                    + config.maxPerAddress() + ")");
        }
        if (isFull(pairs, pair, config.maxPerUserAndAddress())) {
            throw full("Connection limit per user:ipaddress reached (user:ipaddress: " + pair + " limit: "
                    + config.maxPerUserAndAddress() + ")");
        }
        all++;
        users.merge(client.user(), 1, Integer::sum);
        addresses.merge(client.address(), 1, Integer::sum);
        pairs.merge(pair, 1, Integer::sum);
    }

    /** Called when a counted session has ended. */
    synchronized void leave(SessionClient client) {
        all--;
        users.computeIfPresent(client.user(), SessionLimits::less);
        addresses.computeIfPresent(client.address(), SessionLimits::less);
        pairs.computeIfPresent(pair(client), SessionLimits::less);
    }

    private static @Nullable Integer less(String key, Integer count) {
        return count == 1 ? null : count - 1;
    }

    private static String pair(SessionClient client) {
        return client.user() + ":" + client.address();
    }

    /** A limit of 0 means no limit. */
    private static boolean isFull(Map<String, Integer> counts, String key, int limit) {
        return limit > 0 && counts.getOrDefault(key, 0) >= limit;
    }

    private static SkepException full(String what) {
        return new SkepException(StandardErrorCode.QUEUE_FULL, what);
    }
}
