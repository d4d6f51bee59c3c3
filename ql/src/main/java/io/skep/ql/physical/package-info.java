/**
 * Converts optimized relational algebra to a stage graph: operators, distributions, fragments. Rewriting for cost
 * belongs to the optimize package.
 */
@NullMarked
package io.skep.ql.physical;

import org.jspecify.annotations.NullMarked;
