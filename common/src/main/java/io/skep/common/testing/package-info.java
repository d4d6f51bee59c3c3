/** What tests of several modules share. Nothing of a server may use it. */
@NullMarked
package io.skep.common.testing;

import org.jspecify.annotations.NullMarked;
