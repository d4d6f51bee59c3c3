package io.skep.metastore.transaction;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A lock of a listing. Times are milliseconds since 1970 by the clock of the database, 0 for none.
 *
 * @param lock the id of its request
 * @param part its number in the request
 * @param blockedBy the request that it waits for
 * @param blockedByPart the lock in that request
 * @param transaction the transaction that it belongs to; 0 for none
 */
public record ListedLock(
        long lock,
        long part,
        String database,
        Optional<String> table,
        Optional<String> partition,
        boolean isAcquired,
        OptionalLong blockedBy,
        OptionalLong blockedByPart,
        LockKind kind,
        long transaction,
        long lastHeartbeat,
        long acquired,
        String user,
        String host,
        Optional<String> agent) {}
