/** The SQL engine and its sessions: finds the handler of a statement's text. Commands, EXPLAIN and USE are here too. */
@NullMarked
package io.skep.ql.compiler;

import org.jspecify.annotations.NullMarked;
