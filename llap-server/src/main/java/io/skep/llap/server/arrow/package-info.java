/** Batches and types as Arrow has them, for programs outside of the server. */
@NullMarked
package io.skep.llap.server.arrow;

import org.jspecify.annotations.NullMarked;
