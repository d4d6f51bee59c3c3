/** Support for tests of this and other modules: real daemons in the test process. Servers do not use it. */
@NullMarked
package io.skep.llap.server.testing;

import org.jspecify.annotations.NullMarked;
