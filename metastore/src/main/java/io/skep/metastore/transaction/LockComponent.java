package io.skep.metastore.transaction;

import java.util.Optional;

/**
 * One object of a lock request. A partition needs a table.
 *
 * @param partition the partition's name, such as {@code ds=x}
 * @param isTransactional whether the object is a transactional table or a partition of one; only these are recorded as
 *     written by the transaction
 * @param writesDynamicPartitions whether the written partitions become known only later
 *     ({@link TransactionStore#addPartitions})
 */
public record LockComponent(
        LockKind kind,
        DataOperation operation,
        String database,
        Optional<String> table,
        Optional<String> partition,
        boolean isTransactional,
        boolean writesDynamicPartitions) {
    public LockComponent {
        if (partition.isPresent() && table.isEmpty()) {
            throw new IllegalArgumentException("a partition without a table");
        }
    }

    /** Returns a lock on a database. */
    public static LockComponent ofDatabase(LockKind kind, String database) {
        return new LockComponent(
                kind, DataOperation.NO_TXN, database, Optional.empty(), Optional.empty(), false, false);
    }

    /** Returns a lock on a transactional table. */
    public static LockComponent ofTable(LockKind kind, DataOperation operation, String database, String table) {
        return new LockComponent(kind, operation, database, Optional.of(table), Optional.empty(), true, false);
    }

    /** Returns the same lock on one partition. */
    public LockComponent withPartition(String name) {
        return new LockComponent(kind, operation, database, table, Optional.of(name), isTransactional, false);
    }

    /** Returns the same lock for a write into partitions that become known later. */
    public LockComponent withDynamicPartitions() {
        return new LockComponent(kind, operation, database, table, partition, isTransactional, true);
    }
}
