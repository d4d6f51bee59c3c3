/**
 * Implements {@code bin/bench hashtable}, which compares Skep's hash tables with others, each in a separate JVM. This
 * package contains the measurements and their output, but none of Skep's own tables.
 */
@NullMarked
package io.skep.bench.hashtable;

import org.jspecify.annotations.NullMarked;
