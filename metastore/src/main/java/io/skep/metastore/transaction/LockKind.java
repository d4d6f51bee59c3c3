package io.skep.metastore.transaction;

/** Hive's types of locks. */
public enum LockKind {
    /** Compatible with all others except EXCLUSIVE. */
    SHARED_READ,
    /** Compatible with itself and SHARED_READ. */
    SHARED_WRITE,
    /** Compatible with SHARED_READ only: one writer at a time, and readers of older snapshots. */
    EXCL_WRITE,
    /** Compatible with no other lock. */
    EXCLUSIVE
}
