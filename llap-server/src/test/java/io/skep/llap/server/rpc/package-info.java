@NullMarked
package io.skep.llap.server.rpc;

import org.jspecify.annotations.NullMarked;
