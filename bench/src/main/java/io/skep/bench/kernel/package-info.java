/**
 * Micro-benchmarks of the processing of a batch: expressions, hashes, sorting, the cache's encodings. They are run by
 * JMH. Each result is of one thread on data that fits in the processor's cache.
 */
@NullMarked
package io.skep.bench.kernel;

import org.jspecify.annotations.NullMarked;
