package io.skep.metastore.transaction;

import java.util.Optional;

/**
 * The state of requested locks. All of a request are granted together.
 *
 * @param lock the id of the request
 * @param reason why the locks are not granted, if that is known
 */
public record LockResult(long lock, boolean isAcquired, Optional<String> reason) {}
