package io.skep.storage.compaction;

import java.util.Comparator;

/** The identifier of a row, in the order in which files have rows and delete events. */
record EventId(long writeId, long bucket, long rowId) implements Comparable<EventId> {
    private static final Comparator<EventId> ORDER = Comparator.comparingLong(EventId::writeId)
            .thenComparingLong(EventId::bucket)
            .thenComparingLong(EventId::rowId);

    /** Returns a bound that is not above any identifier of a write id or of later ones. */
    static EventId from(long writeId) {
        return new EventId(writeId, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    @Override
    public int compareTo(EventId other) {
        return ORDER.compare(this, other);
    }
}
