/** Prints plans in a readable form. */
@NullMarked
package io.skep.ql.explain;

import org.jspecify.annotations.NullMarked;
