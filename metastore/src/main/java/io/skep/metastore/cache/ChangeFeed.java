package io.skep.metastore.cache;

import java.util.List;
import java.util.Optional;

/** Reports the changes of other servers on the same database. */
public interface ChangeFeed {
    /** Returns the position after the last change. This call is cheap. */
    long position();

    /**
     * Whether all clients that change the database report their changes here. Otherwise anything may have changed at
     * any time.
     */
    boolean isComplete();

    /** Returns the total duration of database reads since the start, over all callers, in nanoseconds. */
    long readNanos();

    /** Returns the changes of other servers after a position. Own changes are left out. */
    Changes since(long position);

    /** Deletes changes that are older than the site's retention time. */
    void expire();

    /**
     * Changes up to a position.
     *
     * @param complete false when changes between the two positions are lost, so that anything may have changed
     */
    record Changes(long position, boolean complete, List<Change> changes) {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /** What changed: a table, or a whole database when no table is given. */
    record Change(String database, Optional<String> table) {}
}
