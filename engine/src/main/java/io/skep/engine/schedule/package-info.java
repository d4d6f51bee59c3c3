/** The border between whoever compiles queries and whoever runs their stage graphs. */
@NullMarked
package io.skep.engine.schedule;

import org.jspecify.annotations.NullMarked;
