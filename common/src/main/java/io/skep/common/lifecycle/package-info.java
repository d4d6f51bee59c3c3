/** The start and stop of a process's parts. */
@NullMarked
package io.skep.common.lifecycle;

import org.jspecify.annotations.NullMarked;
