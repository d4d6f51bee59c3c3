package io.skep.bench.simulation;

import java.util.PriorityQueue;

/** A virtual clock that stands still until the next event. Used by one thread. */
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

    /** Returns the nanoseconds since the start. */
    long now() {
        return now;
    }

    /** Schedules an action. Actions at the same time run in the order in which they were scheduled. */
    void after(long nanos, Runnable action) {
        events.add(new Event(now + Math.max(0, nanos), numbers++, action));
    }

    /** Advances to the next event. Returns false when there is none. */
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
