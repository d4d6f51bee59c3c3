/** Daemons as an application of YARN, on a real YARN in its own process. */
@NullMarked
package io.skep.itests.yarn;

import org.jspecify.annotations.NullMarked;
