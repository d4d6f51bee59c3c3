/**
 * The databases {@code sys} and {@code information_schema}, which are built in: their tables, how rows follow from the
 * metastore's database, and the catalog that has them. Nothing here reads the database or decides about rights.
 */
@NullMarked
package io.skep.metastore.system;

import org.jspecify.annotations.NullMarked;
