/**
 * {@code bin/bench hashtable}: Skep's hash tables beside other ones, each in a JVM of its own. What is measured lives
 * here; how it is put on a screen as well; no table of Skep's own.
 */
@NullMarked
package io.skep.bench.hashtable;

import org.jspecify.annotations.NullMarked;
