package io.skep.metastore.transaction;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A request to compact a table without partitions, or one partition.
 *
 * @param partition the partition's name, such as {@code ds=x}
 * @param properties what the request changes of the table's properties for this compaction
 * @param buckets the number of files over which a rebalance distributes the rows; empty for the present number
 * @param order the order that a rebalance gives the rows, as the text of an ORDER BY clause
 * @param pool the pool of workers that the request is for; empty for those without a pool
 * @param initiator who requests it, as {@code host-name}
 */
public record RequestedCompaction(
        String database,
        String table,
        Optional<String> partition,
        CompactionKind kind,
        Map<String, String> properties,
        OptionalInt buckets,
        Optional<String> order,
        Optional<String> pool,
        String initiator) {
    public RequestedCompaction {
        properties = Map.copyOf(properties);
    }

    /** Returns the request for a kind of compaction without properties and pool. */
    public static RequestedCompaction of(CompactionJob candidate, CompactionKind kind, String initiator) {
        return of(candidate.database(), candidate.table(), candidate.partition(), kind, initiator);
    }

    /** As above, for a table or one of its partitions. */
    public static RequestedCompaction of(
            String database, String table, Optional<String> partition, CompactionKind kind, String initiator) {
        return new RequestedCompaction(
                database,
                table,
                partition,
                kind,
                Map.of(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                initiator);
    }
}
