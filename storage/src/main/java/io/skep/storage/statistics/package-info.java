/**
 * Computes statistics of columns from the vectors that contain their values, with Hive's sketch of distinct values.
 * This package reads and writes no files and does not depend on the metastore.
 */
@NullMarked
package io.skep.storage.statistics;

import org.jspecify.annotations.NullMarked;
