/**
 * Native kernels: scalar functions and casts as loops over vectors. One family a file. Their results are those of Hive's
 * classes; where a kernel does not exist for some types, the bridge in {@code function.hive} is used instead.
 */
@NullMarked
package io.skep.engine.function.scalar;

import org.jspecify.annotations.NullMarked;
