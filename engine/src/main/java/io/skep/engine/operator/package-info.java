/**
 * Columnar operators: batches in, batches out, one a file, and what they share: memory accounts, local exchanges. An operator
 * belongs to one driver; what drivers share is in objects of its own. Knows nothing of how tasks are put together or run.
 */
@NullMarked
package io.skep.engine.operator;

import org.jspecify.annotations.NullMarked;
