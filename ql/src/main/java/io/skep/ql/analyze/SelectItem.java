package io.skep.ql.analyze;

import org.apache.calcite.rex.RexNode;

/**
 * One column of a SELECT list.
 *
 * @param table the table alias of a plain column that was selected as {@code t.c} or {@code *}, or empty
 * @param name its name, given in the query or generated
 */
record SelectItem(RexNode value, String table, String name) {}
