/** Hash joins: the build and probe sides, and partitions that were spilled. */
@NullMarked
package io.skep.engine.operator.join;

import org.jspecify.annotations.NullMarked;
