package io.skep.bench.simulation;

import java.util.PriorityQueue;

/** A clock that stands still until the next thing is to happen. One thread. */
final class VirtualTime {
    private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return nanos != other.nanos ? Long.compare(nanos, other.nanos) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long numbers;

    /** Nanoseconds since the start. */
    long now() {
        return now;
    }

    /** Does something later; things of the same moment in the order in which they were asked for. */
    void after(long nanos, Runnable action) {
        events.add(new Event(now + Math.max(0, nanos), numbers++, action));
    }

    /** Moves on to the next event; false when there is none. */
    boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        now = next.nanos();
        next.action().run();
        return true;
    }
}
