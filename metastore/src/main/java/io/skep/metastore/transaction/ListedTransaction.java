package io.skep.metastore.transaction;

/**
 * A transaction of a listing. Times are milliseconds since 1970 by the clock of the database.
 *
 * @param isAborted whether it is aborted and not cleaned up yet; open otherwise
 */
public record ListedTransaction(
        long id, boolean isAborted, long started, long lastHeartbeat, String user, String host) {}
