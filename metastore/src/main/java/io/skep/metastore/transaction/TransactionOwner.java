package io.skep.metastore.transaction;

/**
 * On whose behalf a transaction is opened, for listings.
 *
 * @param user the client's user
 * @param host the server's host
 * @param agent the id of the query
 */
public record TransactionOwner(String user, String host, String agent) {}
