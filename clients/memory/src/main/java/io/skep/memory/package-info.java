/** Memory outside the heap in the processes of other programs, as Arrow uses it. Nothing else needs sun.misc.Unsafe. */
@NullMarked
package io.skep.memory;

import org.jspecify.annotations.NullMarked;
