/** Table functions at run time: the seam, and native ones. */
@NullMarked
package io.skep.engine.function.table;

import org.jspecify.annotations.NullMarked;
