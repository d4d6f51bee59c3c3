/**
 * Parquet files: reading by row ranges, skipping by statistics, page indexes, dictionaries and Bloom filters, writing
 * in Hive's layout.
 */
@NullMarked
package io.skep.storage.parquet;

import org.jspecify.annotations.NullMarked;
