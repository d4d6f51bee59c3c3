package io.skep.ql.analyze;

import org.apache.calcite.rex.RexNode;

/**
 * One column of a SELECT list.
 *
 * @param table alias of the table that a plain column came from as {@code t.c} or {@code *}, or empty
 * @param name its name, given or made
 */
record SelectItem(RexNode value, String table, String name) {}
