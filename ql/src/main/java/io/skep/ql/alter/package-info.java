/** Changes of tables that exist: ALTER, ANALYZE, TRUNCATE, MSCK, and LOCK, which is refused. */
@NullMarked
package io.skep.ql.alter;

import org.jspecify.annotations.NullMarked;
