/**
 * Verifies passwords by LDAP directories, with Hive's settings and rules. Only this package knows JNDI's LDAP provider.
 * It knows nothing of transports.
 */
@NullMarked
package io.skep.authentication.ldap;

import org.jspecify.annotations.NullMarked;
