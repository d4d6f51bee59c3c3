/**
 * Native kernels: scalar functions and casts as loops over vectors. Each file contains one family and the entries of
 * its functions. The results equal those of Hive's classes if Hive has the function. If such a function has no kernel
 * for some types, the bridge in {@code function.hive} is used.
 */
@NullMarked
package io.skep.engine.function.scalar;

import org.jspecify.annotations.NullMarked;
