/** SHOW and DESCRIBE. */
@NullMarked
package io.skep.ql.show;

import org.jspecify.annotations.NullMarked;
