@NullMarked
package io.skep.llap.client;

import org.jspecify.annotations.NullMarked;
