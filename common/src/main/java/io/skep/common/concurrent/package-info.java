/** Interrupts, which end work whose result is not needed any more. */
@NullMarked
package io.skep.common.concurrent;

import org.jspecify.annotations.NullMarked;
