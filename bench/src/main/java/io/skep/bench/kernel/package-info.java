/**
 * Micro-benchmarks of what a batch goes through: expressions, hashes, sorting, the cache's encodings. Run by JMH; each
 * figure is of one thread on data that fits in the processor's cache.
 */
@NullMarked
package io.skep.bench.kernel;

import org.jspecify.annotations.NullMarked;
