/**
 * Accounting of memory: which holder uses how much, against which limit. The package only reserves memory; it does not
 * allocate it.
 */
@NullMarked
package io.skep.common.memory;

import org.jspecify.annotations.NullMarked;
