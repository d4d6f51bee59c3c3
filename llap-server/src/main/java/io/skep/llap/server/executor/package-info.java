/** Threads of the daemon: executors that run steps of queries in turn, and the I/O pool. What a step does is not known here. */
@NullMarked
package io.skep.llap.server.executor;

import org.jspecify.annotations.NullMarked;
