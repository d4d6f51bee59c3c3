package io.skep.storage.compaction;

import org.jspecify.annotations.Nullable;

/** Reads the events of one file in the order of their identifiers. Owned by one thread. */
interface EventSource extends AutoCloseable {
    /** Returns the next events, at least one, or null at the end. */
    @Nullable
    EventBatch next();

    @Override
    void close();
}
