/**
 * Statistics of columns from the vectors that hold their values, and Hive's sketch of distinct values. No file is read
 * or written here, and nothing is known of the metastore.
 */
@NullMarked
package io.skep.storage.statistics;

import org.jspecify.annotations.NullMarked;
