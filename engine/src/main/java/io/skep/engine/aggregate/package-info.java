/**
 * Aggregate and window functions: accumulators over groups, both native ones and those that run Hive's UDAF classes,
 * and the entries of the native ones. Operators are responsible for hash tables, grouping, frame bounds and spilling.
 */
@NullMarked
package io.skep.engine.aggregate;

import org.jspecify.annotations.NullMarked;
