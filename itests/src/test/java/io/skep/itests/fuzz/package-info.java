/**
 * Coverage-guided fuzzing. Targets read untrusted bytes, and Jazzer searches for bytes that break their contract. A
 * plain test reads the inputs that once did so again. docs/testing/fuzzing.md says how to run it for longer.
 */
@NullMarked
package io.skep.itests.fuzz;

import org.jspecify.annotations.NullMarked;
