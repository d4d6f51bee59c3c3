/** Describes a table's files: columns, format, partitions and splits. This package reads no data. */
@NullMarked
package io.skep.storage.table;

import org.jspecify.annotations.NullMarked;
