@NullMarked
package io.skep.llap.server.executor;

import org.jspecify.annotations.NullMarked;
