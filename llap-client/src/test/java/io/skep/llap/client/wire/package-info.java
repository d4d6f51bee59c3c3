@NullMarked
package io.skep.llap.client.wire;

import org.jspecify.annotations.NullMarked;
