/** Functions: the registry, signatures, native kernels and the bridge to Hive's classes. */
@NullMarked
package io.skep.engine.function;

import org.jspecify.annotations.NullMarked;
