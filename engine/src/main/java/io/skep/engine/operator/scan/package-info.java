/** Scans of tables: splits, runtime filters, and statistics of what was read. */
@NullMarked
package io.skep.engine.operator.scan;

import org.jspecify.annotations.NullMarked;
