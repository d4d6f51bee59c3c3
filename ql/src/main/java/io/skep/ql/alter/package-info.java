/**
 * Changes of tables that exist: ALTER, ANALYZE, TRUNCATE, MSCK, and LOCK and START TRANSACTION, which are refused.
 */
@NullMarked
package io.skep.ql.alter;

import org.jspecify.annotations.NullMarked;
