package io.skep.llap.server.cache;

import java.util.concurrent.atomic.LongAdder;

/** A table's part in the cache, as counters. Thread-safe. */
public final class TableFigures {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder evictions = new LongAdder();
    final LongAdder bypasses = new LongAdder();
    final LongAdder bytes = new LongAdder();

    /**
     * The figures at a moment.
     *
     * @param bypasses chunks that found no place
     * @param bytes encoded bytes in the cache now
     */
    public record Snapshot(long hits, long misses, long evictions, long bypasses, long bytes) {}

    Snapshot snapshot() {
        return new Snapshot(hits.sum(), misses.sum(), evictions.sum(), bypasses.sum(), bytes.sum());
    }
}
