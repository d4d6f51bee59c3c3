/** Support for tests of this and other modules: a KDC, and an issuer of signed tokens. */
@NullMarked
package io.skep.authentication.testing;

import org.jspecify.annotations.NullMarked;
