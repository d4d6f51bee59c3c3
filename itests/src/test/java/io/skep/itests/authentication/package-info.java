/** Logins of released clients, and logins beside Hive's own. */
@NullMarked
package io.skep.itests.authentication;

import org.jspecify.annotations.NullMarked;
