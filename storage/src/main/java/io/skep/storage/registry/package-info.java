/**
 * The list of file formats, and what depends on a table's format: which one applies to the metastore's description of a
 * table, and which of the table's properties matter to its files.
 */
@NullMarked
package io.skep.storage.registry;

import org.jspecify.annotations.NullMarked;
