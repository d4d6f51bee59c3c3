/**
 * Clocks. Durations, deadlines and timeouts use the monotonic clock. The wall clock is for times that are displayed or
 * compared with files.
 */
@NullMarked
package io.skep.common.time;

import org.jspecify.annotations.NullMarked;
