@NullMarked
package io.skep.llap.server;

import org.jspecify.annotations.NullMarked;
