package io.skep.authentication;

/** A value of {@code hive.server2.authentication}. */
public enum AuthenticationMode {
    /** Clients log in by SASL PLAIN or HTTP's Basic authentication, and nobody verifies their names. */
    NONE,
    /** Clients of the binary transport do not log in. */
    NOSASL,
    /** Passwords are verified by a file of users with hashed passwords. */
    FILE,
    /** Passwords are verified by LDAP directories. */
    LDAP,
    /** Clients log in by tickets of Kerberos: SASL GSSAPI, or HTTP's Negotiate. */
    KERBEROS,
    /** Clients of the HTTP transport have signed tokens. */
    JWT
}
