package io.skep.metastore.transaction;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A compaction of the queue, a candidate for one, or something to clean up.
 *
 * @param id the id in the queue; 0 for what is not in it
 * @param partition the partition's name, such as {@code ds=x}
 * @param kind empty for a candidate, and for aborted transactions that are to be cleaned up
 * @param properties what the request changes of the table's properties
 * @param buckets see {@link RequestedCompaction#buckets}
 * @param order see {@link RequestedCompaction#order}
 * @param user the user that the request names, in whose name Hive works on the files
 * @param highestWriteId the last write id that a compaction that is to be cleaned up has seen
 * @param next the first transaction that sees only the compacted files; 0 when the compaction has not committed
 * @param minOpenWriteTransaction the first open transaction that writes to the table, where aborted transactions are
 *     cleaned up
 * @param tooManyAborts whether a candidate has too many aborted transactions, or too old ones
 * @param retryMillis how long the last attempt to clean up was postponed
 */
public record CompactionJob(
        long id,
        String database,
        String table,
        Optional<String> partition,
        Optional<CompactionKind> kind,
        Map<String, String> properties,
        OptionalInt buckets,
        Optional<String> order,
        Optional<String> user,
        long highestWriteId,
        long next,
        long minOpenWriteTransaction,
        boolean tooManyAborts,
        long retryMillis) {
    public CompactionJob {
        properties = Map.copyOf(properties);
    }

    /** Returns what is compacted, for messages. */
    public String place() {
        return database + "." + table + partition.map(name -> "." + name).orElse("");
    }

    /** Returns the same job with the last write id that it covers. */
    public CompactionJob upTo(long writeId) {
        return new CompactionJob(
                id,
                database,
                table,
                partition,
                kind,
                properties,
                buckets,
                order,
                user,
                writeId,
                next,
                minOpenWriteTransaction,
                tooManyAborts,
                retryMillis);
    }
}
