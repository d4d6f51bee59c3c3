/** What operators do with rows of vectors of any kind: hash, compare, order, put together. Knows no plans. */
@NullMarked
package io.skep.engine.rows;

import org.jspecify.annotations.NullMarked;
