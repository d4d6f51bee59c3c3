/** Keeps secrets out of a process's log. Nothing here decides what is logged. */
@NullMarked
package io.skep.common.log;

import org.jspecify.annotations.NullMarked;
