/**
 * Workload drivers with their peers beside them, and the demo. What they print are ratios and percentiles of one run.
 */
@NullMarked
package io.skep.bench;

import org.jspecify.annotations.NullMarked;
