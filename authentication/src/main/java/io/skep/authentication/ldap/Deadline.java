package io.skep.authentication.ldap;

import java.time.Duration;
import javax.naming.TimeLimitExceededException;

/** The time at which a verification has to end. */
final class Deadline {
    private final long end;

    Deadline(Duration limit) {
        this.end = System.nanoTime() + limit.toNanos();
    }

    /**
     * Returns the time that is left, at least a millisecond.
     *
     * @throws TimeLimitExceededException when none is left
     */
    Duration left() throws TimeLimitExceededException {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (left.toMillis() < 1) {
            throw new TimeLimitExceededException("the directories did not answer in time");
        }
        return left;
    }
}
