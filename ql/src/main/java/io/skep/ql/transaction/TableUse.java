package io.skep.ql.transaction;

import io.skep.metastore.Table;
import java.util.Optional;

/**
 * A statement's use of a transactional table, or of one of its partitions. A table that is read and updated has two.
 *
 * @param partition the partition's name; empty for all
 * @param writesDynamicPartitions whether the written partitions become known only while the statement runs
 *     ({@link StatementTransaction#addPartitions})
 */
public record TableUse(Table table, TableAccess access, Optional<String> partition, boolean writesDynamicPartitions) {
    public static TableUse of(Table table, TableAccess access) {
        return new TableUse(table, access, Optional.empty(), false);
    }

    public static TableUse ofPartition(Table table, TableAccess access, String partition) {
        return new TableUse(table, access, Optional.of(partition), false);
    }

    public static TableUse ofDynamicPartitions(Table table, TableAccess access) {
        return new TableUse(table, access, Optional.empty(), true);
    }
}
