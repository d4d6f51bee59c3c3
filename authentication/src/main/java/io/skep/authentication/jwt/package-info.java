/**
 * Verifies signed tokens (JWT, RFC 7519) by the public keys of their issuers. Only this package knows the library for
 * them. It knows nothing of transports.
 */
@NullMarked
package io.skep.authentication.jwt;

import org.jspecify.annotations.NullMarked;
