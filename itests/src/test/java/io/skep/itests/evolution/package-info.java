/** Columns that get another type, in every format and for every pair of types. No other tests. */
@NullMarked
package io.skep.itests.evolution;

import org.jspecify.annotations.NullMarked;
