/** Tests of the verification of passwords by LDAP directories. */
@NullMarked
package io.skep.service.ldap;

import org.jspecify.annotations.NullMarked;
