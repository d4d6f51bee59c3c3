/**
 * The parts of an entry that all kinds of functions have: names, origin, nullability and documentation. Types and
 * kernels differ by kind; they stand in the entries of {@code function.scalar} and {@code aggregate}.
 */
@NullMarked
package io.skep.engine.function.entry;

import org.jspecify.annotations.NullMarked;
