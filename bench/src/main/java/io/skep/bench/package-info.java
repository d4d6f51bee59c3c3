/**
 * Workload drivers that compare Skep with other systems, and the demo. They print ratios and percentiles of one run.
 */
@NullMarked
package io.skep.bench;

import org.jspecify.annotations.NullMarked;
