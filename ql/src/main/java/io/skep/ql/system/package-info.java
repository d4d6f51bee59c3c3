/**
 * Reads of system tables: the rows that a user sees, as files that the tasks of a query read. The tables are those of
 * {@code io.skep.metastore.system}. Tables of storage handlers are read through such files too. No statement is handled
 * here.
 */
@NullMarked
package io.skep.ql.system;

import org.jspecify.annotations.NullMarked;
