/** Plans as people read them. */
@NullMarked
package io.skep.ql.explain;

import org.jspecify.annotations.NullMarked;
