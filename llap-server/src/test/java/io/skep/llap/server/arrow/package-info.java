@NullMarked
package io.skep.llap.server.arrow;

import org.jspecify.annotations.NullMarked;
