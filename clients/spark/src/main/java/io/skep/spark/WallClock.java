package io.skep.spark;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMicroVector;

/**
 * Turns Hive's timestamps, which are wall clocks, into the instants at which clocks of a zone show them, as Spark does
 * with those of its own Hive tables: hours that a zone skips are moved on, of those that it has twice the first ones
 * count. What Spark writes is turned back. Used by one thread.
 */
final class WallClock {
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;

    /** No zone's clock is moved that far. */
    private static final long MARGIN = Duration.ofDays(2).toSeconds() * MICROS;

    private final ZoneId zone;
    private final ZoneRules rules;

    /** Wall clocks from here to there have this distance from UTC. */
    private long from;

    private long to;
    private long offset;

    /** Instants from here to there have this distance from UTC. */
    private long begin;

    private long end;
    private long distance;

    WallClock(ZoneId zone) {
        this.zone = zone;
        this.rules = zone.getRules();
    }

    /** Replaces the values of all columns of timestamps without zone in place: the buffers belong to this reader. */
    void toInstants(FieldVector vector) {
        if (vector instanceof TimeStampMicroVector times) {
            int count = times.getValueCount();
            for (int i = 0; i < count; i++) {
                if (!times.isNull(i)) {
                    times.set(i, instant(times.get(i)));
                }
            }
        }
        vector.getChildrenFromFields().forEach(this::toInstants);
    }

    /** @param local microseconds of a wall clock since 1970 */
    long instant(long local) {
        if (local < from || local >= to) {
            return looked(local);
        }
        return local - offset;
    }

    private long looked(long local) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(local, MICROS), (int) Math.floorMod(local, MICROS) * NANOS_OF_MICRO, ZoneOffset.UTC);
        Instant instant = time.atZone(zone).toInstant();
        long found = instant.getEpochSecond() * MICROS + instant.getNano() / NANOS_OF_MICRO;
        ZoneOffsetTransition next = rules.nextTransition(instant);
        ZoneOffsetTransition previous = rules.previousTransition(instant);
        long first = previous == null ? Long.MIN_VALUE : previous.toEpochSecond() * MICROS + MARGIN;
        long last = next == null ? Long.MAX_VALUE : next.toEpochSecond() * MICROS - MARGIN;
        if (local >= first && local < last) {
            from = first;
            to = last;
            offset = rules.getOffset(instant).getTotalSeconds() * MICROS;
        }
        return found;
    }

    /** Replaces the instants in all columns of timestamps without zone by what clocks show, in place. */
    void toWallClocks(FieldVector vector) {
        if (vector instanceof TimeStampMicroVector times) {
            int count = times.getValueCount();
            for (int i = 0; i < count; i++) {
                if (!times.isNull(i)) {
                    times.set(i, wallClock(times.get(i)));
                }
            }
        }
        vector.getChildrenFromFields().forEach(this::toWallClocks);
    }

    /** @param micros microseconds since 1970 in UTC */
    long wallClock(long micros) {
        if (micros < begin || micros >= end) {
            Instant instant = Instant.ofEpochSecond(
                    Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * NANOS_OF_MICRO);
            ZoneOffsetTransition next = rules.nextTransition(instant);
            // One at this very instant counts.
            ZoneOffsetTransition previous = rules.previousTransition(instant.plusSeconds(1));
            begin = previous == null ? Long.MIN_VALUE : previous.toEpochSecond() * MICROS;
            end = next == null ? Long.MAX_VALUE : next.toEpochSecond() * MICROS;
            distance = rules.getOffset(instant).getTotalSeconds() * MICROS;
        }
        return micros + distance;
    }
}
