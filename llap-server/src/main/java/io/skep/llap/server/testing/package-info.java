/** For tests of this and other modules: real daemons in their process. Not used by a server. */
@NullMarked
package io.skep.llap.server.testing;

import org.jspecify.annotations.NullMarked;
