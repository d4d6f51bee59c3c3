/** Batches as bytes, and the temporary files of operators that have more rows than memory. Not for tables. */
@NullMarked
package io.skep.engine.spill;

import org.jspecify.annotations.NullMarked;
