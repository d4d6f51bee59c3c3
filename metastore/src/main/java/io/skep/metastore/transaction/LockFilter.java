package io.skep.metastore.transaction;

import java.util.Optional;
import java.util.OptionalLong;

/** Which locks are listed: those of a database, table, partition or transaction, or all. */
public record LockFilter(
        Optional<String> database, Optional<String> table, Optional<String> partition, OptionalLong transaction) {
    public static final LockFilter ALL =
            new LockFilter(Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty());

    /** Returns the filter for what names a database or something in it. */
    public static LockFilter of(String database, Optional<String> table, Optional<String> partition) {
        return new LockFilter(Optional.of(database), table, partition, OptionalLong.empty());
    }
}
