/** TLS of the ports for users: settings, the files with keys, and what performs handshakes. */
@NullMarked
package io.skep.authentication.tls;

import org.jspecify.annotations.NullMarked;
