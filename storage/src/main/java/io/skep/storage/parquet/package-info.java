/**
 * Parquet files: reading by row ranges, pruning by statistics, page indexes, dictionaries and Bloom filters, and
 * writing in Hive's layout.
 */
@NullMarked
package io.skep.storage.parquet;

import org.jspecify.annotations.NullMarked;
