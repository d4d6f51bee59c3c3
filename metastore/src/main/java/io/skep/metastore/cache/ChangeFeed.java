package io.skep.metastore.cache;

import java.util.List;
import java.util.Optional;

/** Tells what other servers on the same database changed. */
public interface ChangeFeed {
    /** The position behind the last change; a cheap look. */
    long position();

    /** Whether all who change the database tell it here; if not, anything may have changed at any time. */
    boolean tellsAll();

    /** How long reads of the database have taken since the start, those of all callers together, in nanoseconds. */
    long readNanos();

    /** What other servers changed behind a position. Own changes are left out. */
    Changes since(long position);

    /** Forgets changes that are older than the site keeps them. */
    void expire();

    /**
     * Changes up to a position.
     *
     * @param complete false when changes between the two positions are no longer known: anything may have changed
     */
    record Changes(long position, boolean complete, List<Change> changes) {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /** What changed: a table, or all of a database when no table is named. */
    record Change(String database, Optional<String> table) {}
}
