/**
 * Tests of columns whose type changes, in every format and for every pair of types. The package contains no other
 * tests.
 */
@NullMarked
package io.skep.itests.evolution;

import org.jspecify.annotations.NullMarked;
