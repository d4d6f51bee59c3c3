package io.skep.metastore.transaction;

/** What a transaction is for, by Hive's names. */
public enum TransactionKind {
    /** Reads and writes. */
    DEFAULT,
    /** Only reads. Its end checks no conflicts. */
    READ_ONLY,
    /** Merges files of a table, which readers do not notice. */
    COMPACTION,
    /** Rewrites the rows of a table in other buckets, which conflicts with other writers. */
    REBALANCE_COMPACTION,
    /** Drops or changes a table whose files the cleaner deletes later. */
    SOFT_DELETE,
    /** Writes the rows of a materialized view. */
    MATER_VIEW_REBUILD
}
