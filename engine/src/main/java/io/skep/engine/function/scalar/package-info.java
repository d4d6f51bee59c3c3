/**
 * Native kernels: scalar functions and casts as loops over vectors. One family a file, with the entries of its
 * functions: names, types, nullability, kernel, documentation. Results are those of Hive's classes where Hive has the function;
 * where a kernel does not exist for some types, the bridge in {@code function.hive} is used instead.
 */
@NullMarked
package io.skep.engine.function.scalar;

import org.jspecify.annotations.NullMarked;
