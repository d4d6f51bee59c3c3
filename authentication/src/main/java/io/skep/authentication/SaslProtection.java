package io.skep.authentication;

/** A value of {@code hive.server2.thrift.sasl.qop}: what Kerberos does for the messages of the binary transport. */
public enum SaslProtection {
    /** Only the login is protected. */
    AUTH("auth"),
    /** Messages are signed. */
    AUTH_INT("auth-int"),
    /** Messages are signed and encrypted. */
    AUTH_CONF("auth-conf");

    private final String text;

    SaslProtection(String text) {
        this.text = text;
    }

    /** Returns the name in settings and in {@link javax.security.sasl.Sasl#QOP}. */
    public String text() {
        return text;
    }
}
