/**
 * Decides whether a session's user may run a statement, by Hive's SQL standard authorization or by an
 * authorizer of the site: what a statement needs, which roles and grants a user has, the check, and Hive's plug-in
 * interface. Which statement needs what is declared beside its handler.
 */
@NullMarked
package io.skep.ql.authorize;

import org.jspecify.annotations.NullMarked;
