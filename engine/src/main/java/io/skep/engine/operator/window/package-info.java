/** Window functions over sorted partitions. */
@NullMarked
package io.skep.engine.operator.window;

import org.jspecify.annotations.NullMarked;
