/** Utilities that tests of several modules share. A server must not use them. */
@NullMarked
package io.skep.common.testing;

import org.jspecify.annotations.NullMarked;
