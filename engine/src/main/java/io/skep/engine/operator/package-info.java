/**
 * Columnar operators with batches as input and output, one operator per file, and their shared parts: memory accounts
 * and local exchanges. An operator belongs to one driver. State that drivers share is in separate objects. The package
 * does not depend on how tasks are assembled or run.
 */
@NullMarked
package io.skep.engine.operator;

import org.jspecify.annotations.NullMarked;
