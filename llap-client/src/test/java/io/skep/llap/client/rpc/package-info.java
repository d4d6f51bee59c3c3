@NullMarked
package io.skep.llap.client.rpc;

import org.jspecify.annotations.NullMarked;
