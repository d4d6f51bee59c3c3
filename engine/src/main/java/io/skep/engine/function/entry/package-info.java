/**
 * What every built-in function says about itself, whatever its kind: names, where it comes from, when its result is NULL, and its
 * documentation. Types and kernels differ by kind; they stand in the entries of {@code function.scalar} and {@code aggregate}.
 */
@NullMarked
package io.skep.engine.function.entry;

import org.jspecify.annotations.NullMarked;
