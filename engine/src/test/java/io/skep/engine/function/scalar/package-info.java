@NullMarked
package io.skep.engine.function.scalar;

import org.jspecify.annotations.NullMarked;
