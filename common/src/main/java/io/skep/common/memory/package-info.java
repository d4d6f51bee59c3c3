/** Accounting of memory: who holds how much, against which limit. It reserves; it allocates nothing. */
@NullMarked
package io.skep.common.memory;

import org.jspecify.annotations.NullMarked;
