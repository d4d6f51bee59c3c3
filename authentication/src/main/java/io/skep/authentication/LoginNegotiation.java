package io.skep.authentication;

import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;

/** The server's side of a SASL mechanism with one client. Owned by the thread of the connection. */
public interface LoginNegotiation {
    /**
     * Returns the answer to a message of the client; empty when there is nothing to say.
     *
     * @throws AuthenticationException when the login is refused
     */
    byte[] answer(byte[] message) throws AuthenticationException;

    default boolean isComplete() {
        return mechanism().isComplete();
    }

    /**
     * Returns the name of the user, when the negotiation is complete.
     *
     * @throws AuthenticationException when the client has no user name
     */
    String user() throws AuthenticationException;

    /** Returns what protects the messages that follow a complete negotiation. */
    SaslServer mechanism();

    /** Forgets the keys of the client. */
    default void dispose() {
        try {
            mechanism().dispose();
        } catch (SaslException e) {
            throw new IllegalStateException("keys in memory can be dropped", e);
        }
    }
}
