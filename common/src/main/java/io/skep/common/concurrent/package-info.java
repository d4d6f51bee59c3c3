/** Waiting for threads and for their results. */
@NullMarked
package io.skep.common.concurrent;

import org.jspecify.annotations.NullMarked;
