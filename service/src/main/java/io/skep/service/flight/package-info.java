/**
 * Reads and writes of programs outside of the server, on the server's side: splits with tickets, parts that arrive, and
 * the port that speaks Arrow Flight SQL. What daemons do for the same readers is in io.skep.llap.server.external.
 */
@NullMarked
package io.skep.service.flight;

import org.jspecify.annotations.NullMarked;
