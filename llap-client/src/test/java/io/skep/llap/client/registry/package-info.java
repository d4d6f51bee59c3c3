@NullMarked
package io.skep.llap.client.registry;

import org.jspecify.annotations.NullMarked;
