/** Daemons as an application of YARN, on a real one in a process of its own. */
@NullMarked
package io.skep.itests.yarn;

import org.jspecify.annotations.NullMarked;
