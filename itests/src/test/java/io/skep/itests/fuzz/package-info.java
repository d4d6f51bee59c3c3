/**
 * Coverage-guided fuzzing: targets read bytes that others may have made, Jazzer looks for bytes that break their contract, and
 * inputs that once did are read again by a plain test. docs/testing/fuzzing.md says how to run it for longer.
 */
@NullMarked
package io.skep.itests.fuzz;

import org.jspecify.annotations.NullMarked;
