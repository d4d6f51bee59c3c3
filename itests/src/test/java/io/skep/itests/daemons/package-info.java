/** Repeats, on daemons in their own processes, tests that elsewhere run on a server's own daemon. */
@NullMarked
package io.skep.itests.daemons;

import org.jspecify.annotations.NullMarked;
