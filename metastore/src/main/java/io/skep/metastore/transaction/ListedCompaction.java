package io.skep.metastore.transaction;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A compaction of a listing: requested, running or ended. Times are milliseconds since 1970, absent before the event.
 *
 * @param kind MAJOR, MINOR or REBALANCE
 * @param state as Hive lists it, such as initiated
 * @param transaction the transaction of the compaction
 * @param next the first transaction that sees only compacted files
 */
public record ListedCompaction(
        long id,
        String database,
        String table,
        Optional<String> partition,
        String kind,
        String state,
        Optional<String> worker,
        Optional<String> workerVersion,
        OptionalLong enqueued,
        OptionalLong started,
        OptionalLong ended,
        OptionalLong committed,
        OptionalLong cleaningStarted,
        OptionalLong highestWriteId,
        Optional<String> job,
        Optional<String> error,
        Optional<String> initiator,
        Optional<String> initiatorVersion,
        Optional<String> pool,
        OptionalLong transaction,
        OptionalLong next) {
    /** Whether the compaction is requested or running. */
    public boolean isUnderWay() {
        return state.equals("initiated") || state.equals("working");
    }
}
