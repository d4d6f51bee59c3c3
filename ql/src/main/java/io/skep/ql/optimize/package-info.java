/**
 * Rewrites relational algebra: subqueries, decorrelation, predicates, join order, pruning. Also contains the estimates
 * that this needs.
 */
@NullMarked
package io.skep.ql.optimize;

import org.jspecify.annotations.NullMarked;
