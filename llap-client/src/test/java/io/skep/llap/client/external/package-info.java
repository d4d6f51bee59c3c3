@NullMarked
package io.skep.llap.client.external;

import org.jspecify.annotations.NullMarked;
