package io.skep.authentication;

/** A login that was refused, or that could not be verified. */
public final class AuthenticationException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message for the server's log; clients get {@link PasswordAuthenticator#REFUSAL} */
    public AuthenticationException(String message) {
        super(message);
    }

    public AuthenticationException(String message, Throwable cause) {
        super(message, cause);
    }
}
