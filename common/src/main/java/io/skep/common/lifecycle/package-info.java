/** How a process's parts begin and end. */
@NullMarked
package io.skep.common.lifecycle;

import org.jspecify.annotations.NullMarked;
