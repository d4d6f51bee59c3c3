@NullMarked
package io.skep.llap.server.external;

import org.jspecify.annotations.NullMarked;
