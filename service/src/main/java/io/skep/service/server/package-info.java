/** A server process: its options, the only class that wires its parts, and their ordered start and stop. */
@NullMarked
package io.skep.service.server;

import org.jspecify.annotations.NullMarked;
