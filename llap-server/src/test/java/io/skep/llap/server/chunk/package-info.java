@NullMarked
package io.skep.llap.server.chunk;

import org.jspecify.annotations.NullMarked;
