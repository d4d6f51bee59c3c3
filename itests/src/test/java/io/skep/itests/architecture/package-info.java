/** The borders of the modules, held by tests. */
@NullMarked
package io.skep.itests.architecture;

import org.jspecify.annotations.NullMarked;
