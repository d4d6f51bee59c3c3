/**
 * Implements {@code bin/bench scan}, which compares the cache and the file readers, without SQL, with plain loops and
 * other readers.
 */
@NullMarked
package io.skep.bench.scan;

import org.jspecify.annotations.NullMarked;
