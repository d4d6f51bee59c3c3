/** Sessions: settings, variables, current database, temporary functions. What a statement does is in statement. */
@NullMarked
package io.skep.ql.session;

import org.jspecify.annotations.NullMarked;
