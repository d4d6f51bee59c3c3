package io.skep.authentication;

import java.util.Map;
import java.util.concurrent.CompletionException;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;

/**
 * The server's side of SASL's mechanism GSSAPI (RFC 4752) with one client. Owned by the thread of the connection. When
 * it is complete, the client is known, and {@link #mechanism} protects messages with the keys of the login.
 */
public final class GssapiNegotiation implements LoginNegotiation {
    /** The mechanism's largest message: its size has three bytes. */
    public static final int MAX_BUFFER_BYTES = (1 << 24) - 1;

    private final Subject server;
    private final PrincipalNames names;
    private final SaslServer sasl;

    GssapiNegotiation(
            Subject server, String service, PrincipalNames names, SaslProtection protection, int maxMessageBytes)
            throws AuthenticationException {
        this.server = server;
        this.names = names;
        Map<String, String> properties = Map.of(
                Sasl.QOP, protection.text(),
                Sasl.SERVER_AUTH, "true",
                Sasl.MAX_BUFFER, Integer.toString(Math.min(maxMessageBytes, MAX_BUFFER_BYTES)));
        // Without the name of a host the client's ticket may be for any principal of the subject, which has one.
        this.sasl = asServer(() -> Sasl.createSaslServer("GSSAPI", service, null, properties, this::authorize));
    }

    private interface SaslAction<T> {
        T run() throws SaslException;
    }

    private <T> T asServer(SaslAction<T> action) throws AuthenticationException {
        try {
            return Subject.callAs(server, action::run);
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new AuthenticationException(KerberosAcceptor.reason(cause), cause);
        }
    }

    /** A client acts as itself. */
    private void authorize(Callback[] callbacks) throws UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            if (!(callback instanceof AuthorizeCallback asked)) {
                throw new UnsupportedCallbackException(callback);
            }
            asked.setAuthorized(asked.getAuthenticationID().equals(asked.getAuthorizationID()));
        }
    }

    @Override
    public byte[] answer(byte[] message) throws AuthenticationException {
        byte[] answer = asServer(() -> sasl.evaluateResponse(message));
        return answer == null ? new byte[0] : answer;
    }

    @Override
    public String user() throws AuthenticationException {
        return names.user(sasl.getAuthorizationID());
    }

    @Override
    public SaslServer mechanism() {
        return sasl;
    }
}
