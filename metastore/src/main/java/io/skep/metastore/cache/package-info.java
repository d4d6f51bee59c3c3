/**
 * Caches snapshots of tables on top of any catalog: definitions, partitions and statistics. Each is loaded once and
 * dropped by the first write that affects it. This package does not depend on databases or Hive's library.
 */
@NullMarked
package io.skep.metastore.cache;

import org.jspecify.annotations.NullMarked;
