@NullMarked
package io.skep.llap.server.cache;

import org.jspecify.annotations.NullMarked;
