/** Optimized relational algebra to a stage graph: operators, distributions, fragments. No rewriting for cost: see optimize. */
@NullMarked
package io.skep.ql.physical;

import org.jspecify.annotations.NullMarked;
