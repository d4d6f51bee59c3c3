@NullMarked
package io.skep.authentication.ldap;

import org.jspecify.annotations.NullMarked;
