/** What a table's files look like: columns, format, partitions, splits. Nothing here reads a byte. */
@NullMarked
package io.skep.storage.table;

import org.jspecify.annotations.NullMarked;
