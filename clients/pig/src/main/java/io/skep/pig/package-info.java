/** Pig's loader of queries, over the input formats of {@code io.skep.mapred}. */
@NullMarked
package io.skep.pig;

import org.jspecify.annotations.NullMarked;
