/** Interrupts, which end work whose result is not needed any more, and waits for events. */
@NullMarked
package io.skep.common.concurrent;

import org.jspecify.annotations.NullMarked;
