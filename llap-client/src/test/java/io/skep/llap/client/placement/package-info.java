@NullMarked
package io.skep.llap.client.placement;

import org.jspecify.annotations.NullMarked;
