/**
 * What the handlers of statements share: the context of a statement, names of tables and partitions, leases, and
 * definitions of tables. A handler for one kind of statement is in the package of its kind: query, insert, create,
 * alter, show.
 */
@NullMarked
package io.skep.ql.statement;

import org.jspecify.annotations.NullMarked;
