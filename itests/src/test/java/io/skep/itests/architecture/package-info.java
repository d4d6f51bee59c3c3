/** Tests that enforce the boundaries of the modules. */
@NullMarked
package io.skep.itests.architecture;

import org.jspecify.annotations.NullMarked;
