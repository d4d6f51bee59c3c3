/**
 * Snapshots of tables over any catalog: definitions, partitions, statistics, each loaded once and dropped by the first
 * write that concerns it. Knows nothing of databases and Hive's library.
 */
@NullMarked
package io.skep.metastore.cache;

import org.jspecify.annotations.NullMarked;
