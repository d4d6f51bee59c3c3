@NullMarked
package io.skep.llap.server.read;

import org.jspecify.annotations.NullMarked;
