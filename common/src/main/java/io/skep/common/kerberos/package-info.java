/**
 * How a process proves who it is to services with Kerberos: its principal, its keytab and a login by the JDK. No
 * service is named here, and clients that log in to this process are elsewhere.
 */
@NullMarked
package io.skep.common.kerberos;

import org.jspecify.annotations.NullMarked;
