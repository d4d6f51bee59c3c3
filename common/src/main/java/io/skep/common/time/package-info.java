/** Clocks. Durations, deadlines and time-outs go by the monotonic clock; the wall clock is for times that are shown or compared with files. */
@NullMarked
package io.skep.common.time;

import org.jspecify.annotations.NullMarked;
