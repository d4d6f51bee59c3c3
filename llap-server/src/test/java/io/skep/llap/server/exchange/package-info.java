@NullMarked
package io.skep.llap.server.exchange;

import org.jspecify.annotations.NullMarked;
