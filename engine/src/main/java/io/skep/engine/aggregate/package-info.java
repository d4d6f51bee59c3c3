/**
 * Aggregate and window functions: accumulators over groups, native ones and those that run Hive's UDAF classes, with the entries
 * of the native ones. Hash tables, grouping, frames' bounds and spilling are the operators'.
 */
@NullMarked
package io.skep.engine.aggregate;

import org.jspecify.annotations.NullMarked;
