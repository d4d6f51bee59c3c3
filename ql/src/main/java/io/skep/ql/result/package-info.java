/** Keeps the rows of queries, for the same queries over the same files. */
@NullMarked
package io.skep.ql.result;

import org.jspecify.annotations.NullMarked;
