/**
 * Tables of storage handlers: the rows of other systems, as files that the tasks of a query read, and the statements
 * that are for such tables. No statement is handled here.
 */
@NullMarked
package io.skep.ql.handler;

import org.jspecify.annotations.NullMarked;
