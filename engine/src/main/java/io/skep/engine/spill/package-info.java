/** Batches as bytes, and the temporary files of operators whose rows do not fit into memory. Not used for tables. */
@NullMarked
package io.skep.engine.spill;

import org.jspecify.annotations.NullMarked;
