/**
 * What statements do: one handler a kind of statement, found by the type of its syntax tree's root. Names and types of queries
 * are resolved in analyze, plans are made in optimize and physical.
 */
@NullMarked
package io.skep.ql.statement;

import org.jspecify.annotations.NullMarked;
