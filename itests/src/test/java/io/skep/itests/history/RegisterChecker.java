package io.skep.itests.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Judges the history of a table that every write replaces by a single value. Each value is written once, and the
 * history must be linearizable. The method follows Gibbons and Korach, "Testing Shared Memories" (SIAM Journal on
 * Computing 26, 1997). The statements on one value span a zone between the first answer and the last statement sent. If
 * the first answer comes first, the register must hold the value during the whole zone. Two such zones must not
 * overlap, and no zone of the other kind may lie inside one.
 */
final class RegisterChecker {
    /** A read that found the same value everywhere. */
    record Read(long value, Interval when) {}

    /** @param from the earlier of the first answer and the last statement sent */
    private record Zone(long value, boolean forward, long from, long to) {
        boolean overlaps(Zone other) {
            return Math.max(from, other.from) < Math.min(to, other.to);
        }

        boolean contains(Zone other) {
            return from < other.from && other.to < to;
        }
    }

    private RegisterChecker() {}

    /** Returns the violations in a history; empty if there are none. */
    static List<String> violations(List<WriteLog.Write> writes, List<Read> reads) {
        Map<Long, Interval> written = new HashMap<>();
        writes.forEach(write -> written.put(write.value(), write.when()));
        List<String> violations = new ArrayList<>();
        Map<Long, List<Interval>> seen = new HashMap<>();
        for (Read read : reads) {
            Interval write = written.get(read.value());
            if (write == null) {
                violations.add("phantom: " + read.value() + " was never written and is in " + read.when());
            } else if (read.when().isBefore(write)) {
                violations.add("early: " + read.value() + " of " + write + " is in the earlier " + read.when());
            } else {
                seen.computeIfAbsent(read.value(), value -> new ArrayList<>()).add(read.when());
            }
        }
        violations.addAll(conflicts(zones(writes, seen)));
        return violations;
    }

    /** Computes the zones. A write without an answer whose value no read has seen may never have happened. */
    private static List<Zone> zones(List<WriteLog.Write> writes, Map<Long, List<Interval>> seen) {
        List<Zone> zones = new ArrayList<>();
        for (WriteLog.Write write : writes) {
            List<Interval> reads = seen.getOrDefault(write.value(), List.of());
            if (!write.when().isAcknowledged() && reads.isEmpty()) {
                continue;
            }
            long answered = write.when().completed();
            long sent = write.when().invoked();
            for (Interval read : reads) {
                answered = Math.min(answered, read.completed());
                sent = Math.max(sent, read.invoked());
            }
            boolean forward = answered < sent;
            zones.add(new Zone(write.value(), forward, Math.min(answered, sent), Math.max(answered, sent)));
        }
        return zones;
    }

    private static List<String> conflicts(List<Zone> zones) {
        List<String> conflicts = new ArrayList<>();
        List<Zone> forward = zones.stream().filter(Zone::forward).toList();
        for (int i = 0; i < forward.size(); i++) {
            Zone zone = forward.get(i);
            for (Zone other : forward.subList(i + 1, forward.size())) {
                if (zone.overlaps(other)) {
                    conflicts.add(conflict("both were held in one time", zone, other));
                }
            }
            for (Zone other : zones) {
                if (!other.forward() && zone.contains(other)) {
                    conflicts.add(conflict("the second replaced the first, which was read again", zone, other));
                }
            }
        }
        return conflicts;
    }

    private static String conflict(String what, Zone one, Zone other) {
        return String.format(Locale.ROOT, "not linearizable: %s and %s: %s", one, other, what);
    }
}
