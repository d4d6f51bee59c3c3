/** A server that runs sessions and statements for a long time without growing resource usage. */
@NullMarked
package io.skep.itests.soak;

import org.jspecify.annotations.NullMarked;
