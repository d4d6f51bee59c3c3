/** Waiting for threads and for what they compute. */
@NullMarked
package io.skep.common.concurrent;

import org.jspecify.annotations.NullMarked;
