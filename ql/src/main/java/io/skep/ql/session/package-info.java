/**
 * Sessions: settings, variables, current database, temporary functions. The effects of statements are in package
 * statement.
 */
@NullMarked
package io.skep.ql.session;

import org.jspecify.annotations.NullMarked;
