/**
 * {@code bin/bench scan}: the cache and the readers of files by themselves, without SQL, beside plain loops and other
 * readers.
 */
@NullMarked
package io.skep.bench.scan;

import org.jspecify.annotations.NullMarked;
