package io.skep.llap.server.cache;

import java.util.Map;

/**
 * What the chunk cache holds at one point in time.
 *
 * @param capacityBytes memory that it may use
 * @param reservedBytes memory that it has allocated from the system
 * @param usedBytes encoded bytes in it
 * @param pins active readers
 * @param second contents of the second tier
 */
public record CacheSnapshot(
        long capacityBytes,
        long reservedBytes,
        long usedBytes,
        long chunks,
        long pins,
        SecondTierSnapshot second,
        Map<String, TableCacheStats.Snapshot> tables) {
    public CacheSnapshot {
        tables = Map.copyOf(tables);
    }

    public long hits() {
        return tables.values().stream()
                .mapToLong(TableCacheStats.Snapshot::hits)
                .sum();
    }

    public long misses() {
        return tables.values().stream()
                .mapToLong(TableCacheStats.Snapshot::misses)
                .sum();
    }

    public long misses(MissCause cause) {
        return tables.values().stream().mapToLong(table -> table.misses(cause)).sum();
    }

    /** The number of chunks that missed memory and hit the second tier. */
    public long secondTierHits() {
        return tables.values().stream()
                .mapToLong(TableCacheStats.Snapshot::secondTierHits)
                .sum();
    }

    public long evictions() {
        return tables.values().stream()
                .mapToLong(TableCacheStats.Snapshot::evictions)
                .sum();
    }

    public long bypasses() {
        return tables.values().stream()
                .mapToLong(TableCacheStats.Snapshot::bypasses)
                .sum();
    }
}
