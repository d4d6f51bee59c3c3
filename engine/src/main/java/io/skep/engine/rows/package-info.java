/**
 * Operations on rows of vectors of any kind: hashing, comparison, ordering, concatenation. The package does not depend
 * on plans.
 */
@NullMarked
package io.skep.engine.rows;

import org.jspecify.annotations.NullMarked;
