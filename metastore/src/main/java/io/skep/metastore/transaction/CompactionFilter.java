package io.skep.metastore.transaction;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which compactions are listed.
 *
 * @param kind MAJOR, MINOR or REBALANCE
 * @param state one of the states of the listing, such as initiated
 * @param limit the maximum number of compactions
 */
public record CompactionFilter(
        OptionalLong id,
        Optional<String> database,
        Optional<String> table,
        Optional<String> partition,
        Optional<String> pool,
        Optional<String> kind,
        Optional<String> state,
        OptionalLong limit) {
    public static final CompactionFilter ALL = new CompactionFilter(
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty());

    /** Returns the filter for one compaction. */
    public static CompactionFilter ofId(long id) {
        return new CompactionFilter(
                OptionalLong.of(id),
                ALL.database(),
                ALL.table(),
                ALL.partition(),
                ALL.pool(),
                ALL.kind(),
                ALL.state(),
                ALL.limit());
    }

    /** Returns the filter for the compactions of a table, or of one of its partitions. */
    public static CompactionFilter of(String database, String table, Optional<String> partition) {
        return new CompactionFilter(
                ALL.id(),
                Optional.of(database),
                Optional.of(table),
                partition,
                ALL.pool(),
                ALL.kind(),
                ALL.state(),
                ALL.limit());
    }
}
