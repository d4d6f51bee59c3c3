/** The interface between the components that compile queries and those that run their stage graphs. */
@NullMarked
package io.skep.engine.schedule;

import org.jspecify.annotations.NullMarked;
