/** The engine's and a session's outer face: what {@link io.skep.ql.SqlEngine} promises, put together from the other packages. */
@NullMarked
package io.skep.ql.entry;

import org.jspecify.annotations.NullMarked;
