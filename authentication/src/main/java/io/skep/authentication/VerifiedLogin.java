package io.skep.authentication;

import java.time.Duration;
import java.util.Optional;

/**
 * A login that was verified.
 *
 * @param user the name of the user
 * @param left the time after which the login is worth nothing, if it says so itself
 */
public record VerifiedLogin(String user, Optional<Duration> left) {
    public static VerifiedLogin of(String user) {
        return new VerifiedLogin(user, Optional.empty());
    }

    /** Returns the time for which a cookie may stand for the login. */
    public Duration atMost(Duration age) {
        return left.filter(own -> own.compareTo(age) < 0).orElse(age);
    }
}
