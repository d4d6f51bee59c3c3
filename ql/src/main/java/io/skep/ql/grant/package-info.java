/**
 * Statements about roles and privileges. They check who may grant and see what, also while authorization is off, as
 * Hive does.
 */
@NullMarked
package io.skep.ql.grant;

import org.jspecify.annotations.NullMarked;
