package io.skep.authentication;

/** Verifies the passwords of users. Implementations are thread-safe, and their waits are limited in time. */
public interface PasswordAuthenticator {
    /** Hive's text for every refused login. It does not tell whether the name or the password is wrong. */
    String REFUSAL = "Error validating the login";

    /**
     * Returns the name of the user when the password is right. It is the given one, or a shorter form of it.
     *
     * @param user a name that {@code UserNames} accepts
     * @param address of the client, as {@link java.net.InetAddress#getHostAddress} writes it
     * @throws AuthenticationException when the login is refused or cannot be verified
     */
    String verify(String user, String password, String address) throws AuthenticationException;
}
