/** Table functions at run time: the interface and its native implementations. */
@NullMarked
package io.skep.engine.function.table;

import org.jspecify.annotations.NullMarked;
