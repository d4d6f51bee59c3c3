/** Hive's SQL types as immutable values, and their layout in vectors. No coercion rules: those are in ql. */
@NullMarked
package io.skep.common.type;

import org.jspecify.annotations.NullMarked;
