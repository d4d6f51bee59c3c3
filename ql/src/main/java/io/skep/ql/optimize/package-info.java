/** Rewriting of relational algebra: subqueries, decorrelation, predicates, join order, pruning; and the estimates it needs. */
@NullMarked
package io.skep.ql.optimize;

import org.jspecify.annotations.NullMarked;
