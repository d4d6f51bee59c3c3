/**
 * Threads of the daemon: executors that run steps of queries in turn, and the I/O pool. No class here depends on what a
 * step does.
 */
@NullMarked
package io.skep.llap.server.executor;

import org.jspecify.annotations.NullMarked;
