/** Reads of programs outside of the server: their port, and the fragments that it runs for them. */
@NullMarked
package io.skep.llap.server.external;

import org.jspecify.annotations.NullMarked;
