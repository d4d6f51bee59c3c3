package io.skep.ql.result;

/**
 * A query that may get its rows from the cache, and whose rows the cache may keep.
 *
 * @param mayWait whether it may wait for another query that computes the same rows
 */
public record ResultRequest(ResultKey key, boolean mayWait) {}
