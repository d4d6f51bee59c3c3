/** The LLAP daemon: executors, I/O pool, cache and exchange service. */
@NullMarked
package io.skep.llap.server;

import org.jspecify.annotations.NullMarked;
