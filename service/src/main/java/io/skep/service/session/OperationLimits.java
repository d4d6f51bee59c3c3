package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the operations of all sessions and of each user, and refuses those beyond the limits. An operation counts from
 * before it is opened until its resources are released. Thread-safe.
 */
final class OperationLimits {
    private final int most;
    private final int mostPerUser;

    @GuardedBy("this")
    private final Map<String, Integer> users = new HashMap<>();

    @GuardedBy("this")
    private int all;

    OperationLimits(SessionConfig config) {
        this.most = config.maxOperations();
        this.mostPerUser = config.maxOperationsPerUser();
    }

    /**
     * Counts an operation before it is opened.
     *
     * @throws SkepException TOO_MANY_RESULTS
     */
    synchronized void enter(String user) {
        int ofUser = users.getOrDefault(user, 0);
        if (mostPerUser > 0 && ofUser >= mostPerUser) {
            throw full("the sessions of " + user + " keep", ofUser, SessionConfig.MAX_OPERATIONS_PER_USER);
        }
        if (all >= most) {
            throw full("the sessions of this server keep", all, SessionConfig.MAX_OPERATIONS);
        }
        all++;
        users.put(user, ofUser + 1);
    }

    /** Called when a counted operation has ended and its resources are released. */
    synchronized void leave(String user) {
        all--;
        users.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
    }

    private static SkepException full(String whose, int open, Property<Integer> setting) {
        return new SkepException(
                        StandardErrorCode.TOO_MANY_RESULTS,
                        whose + " " + open + " statements open, as many as they may together")
                .withHint("close statements that are no longer needed, or raise " + setting.name());
    }
}
