@NullMarked
package io.skep.llap.server.process;

import org.jspecify.annotations.NullMarked;
