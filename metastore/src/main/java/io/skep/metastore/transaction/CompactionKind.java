package io.skep.metastore.transaction;

/** What a compaction does, by Hive's names. */
public enum CompactionKind {
    /** Merges deltas into one delta, and delete deltas into one delete delta. */
    MINOR,
    /** Merges everything into a new base, without the rows that are deleted. */
    MAJOR,
    /** Distributes the rows of a table without buckets evenly over files. */
    REBALANCE
}
