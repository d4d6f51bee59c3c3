/** Workload drivers, micro-benchmarks and the demo, each with its peers beside it. */
@NullMarked
package io.skep.bench;

import org.jspecify.annotations.NullMarked;
