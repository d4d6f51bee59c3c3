package io.skep.service.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Compares another machine's clock with this one's. */
final class Clocks {
    /** Tickets, time-outs and the ages of files are wrong by as much. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private Clocks() {}

    /**
     * What is wrong with the other clock, if something is.
     *
     * @param before this clock's time before the other was asked
     * @param after and after it had answered
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
