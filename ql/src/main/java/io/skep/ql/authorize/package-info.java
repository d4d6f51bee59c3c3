/**
 * Decides whether a session's user may run a statement, by Hive's SQL standard authorization: what a statement needs,
 * which roles and grants a user has, and the check. Which statement needs what is declared beside its handler.
 */
@NullMarked
package io.skep.ql.authorize;

import org.jspecify.annotations.NullMarked;
