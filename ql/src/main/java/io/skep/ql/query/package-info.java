/** Queries: from analyzed algebra to a plan that runs, through the plan cache or without it. */
@NullMarked
package io.skep.ql.query;

import org.jspecify.annotations.NullMarked;
