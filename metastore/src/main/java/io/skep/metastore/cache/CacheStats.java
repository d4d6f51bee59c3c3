package io.skep.metastore.cache;

/**
 * How a catalog's cache does.
 *
 * @param tables snapshots that are held
 * @param weight their estimated size in bytes
 * @param hits look-ups of a table that found a snapshot
 */
public record CacheStats(long tables, long weight, long maximumWeight, long hits, long misses) {}
