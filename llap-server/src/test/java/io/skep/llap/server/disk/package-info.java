@NullMarked
package io.skep.llap.server.disk;

import org.jspecify.annotations.NullMarked;
