/**
 * Registers this server in ZooKeeper for clients, in the form that Hive's driver reads. This package contains no
 * protocol and no sessions.
 */
@NullMarked
package io.skep.service.discovery;

import org.jspecify.annotations.NullMarked;
