package io.skep.storage.scan;

/**
 * The identifiers of the rows of a row group of a transactional table. They differ only in their row ids, each of which
 * is the one after the row's before it.
 *
 * @param bucket the bucket property
 * @param first the row id of the first row
 */
public record ConsecutiveRowIds(long writeId, int bucket, long first) {}
