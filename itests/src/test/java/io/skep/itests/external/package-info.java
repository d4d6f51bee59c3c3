/** Programs outside of the server that read rows by themselves: over Arrow Flight, from the server and from daemons. */
@NullMarked
package io.skep.itests.external;

import org.jspecify.annotations.NullMarked;
