package io.skep.service.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Compares another machine's clock with this one's. */
final class Clocks {
    /** The maximum difference. Tickets, timeouts and the ages of files are wrong by the same amount. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private Clocks() {}

    /**
     * Returns the problem with the other clock, if there is one.
     *
     * @param before this clock's time before the request to the other
     * @param after this clock's time after its response
     */
    static Optional<Finding> compare(String part, Instant before, Instant other, Instant after) {
        Duration ahead = other.isAfter(after) ? Duration.between(after, other) : Duration.ZERO;
        Duration behind = other.isBefore(before) ? Duration.between(other, before) : Duration.ZERO;
        Duration off = ahead.plus(behind);
        if (off.compareTo(MOST) <= 0) {
            return Optional.empty();
        }
        String where = ahead.isZero() ? " behind" : " ahead of";
        return Optional.of(Finding.warning(
                part, "its clock is " + off.toSeconds() + " s" + where + " this machine's", "let NTP set both clocks"));
    }
}
