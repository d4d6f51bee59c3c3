@NullMarked
package io.skep.memory;

import org.jspecify.annotations.NullMarked;
