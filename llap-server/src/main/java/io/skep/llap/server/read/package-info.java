/** Reading splits through the column cache: what is cached is decoded, what is not is read by the I/O pool and cached. */
@NullMarked
package io.skep.llap.server.read;

import org.jspecify.annotations.NullMarked;
