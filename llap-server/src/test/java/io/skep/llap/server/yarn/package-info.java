@NullMarked
package io.skep.llap.server.yarn;

import org.jspecify.annotations.NullMarked;
