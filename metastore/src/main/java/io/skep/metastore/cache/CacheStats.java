package io.skep.metastore.cache;

/**
 * Statistics of a catalog's cache.
 *
 * @param tables number of cached snapshots
 * @param weight their estimated size in bytes
 * @param hits table lookups that found a snapshot
 */
public record CacheStats(long tables, long weight, long maximumWeight, long hits, long misses) {}
