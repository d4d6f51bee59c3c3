package io.skep.service.authentication;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.GssapiNegotiation;
import io.skep.authentication.KerberosAcceptor;
import io.skep.authentication.LoginNegotiation;
import io.skep.authentication.SaslProtection;
import java.io.IOException;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.security.SaslRpcServer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of SASL's mechanism DIGEST-MD5, in the form of Hadoop: the client's name is the identifier of a
 * delegation token, and its password the token's secret, which is not sent.
 */
public final class DigestNegotiation implements LoginNegotiation {
    private final DelegationTokens tokens;
    private final SaslServer sasl;
    private @Nullable HiveTokenIdentifier identifier;

    DigestNegotiation(DelegationTokens tokens, SaslProtection protection, int maxMessageBytes)
            throws AuthenticationException {
        this.tokens = tokens;
        Map<String, String> properties = Map.of(
                Sasl.QOP, protection.text(),
                Sasl.MAX_BUFFER, Integer.toString(Math.min(maxMessageBytes, GssapiNegotiation.MAX_BUFFER_BYTES)));
        try {
            this.sasl = Sasl.createSaslServer(
                    "DIGEST-MD5", null, SaslRpcServer.SASL_DEFAULT_REALM, properties, this::identify);
        } catch (SaslException e) {
            throw new AuthenticationException("the mechanism of delegation tokens cannot be used", e);
        }
    }

    private void identify(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            switch (callback) {
                case NameCallback name -> identifier = read(name.getDefaultName());
                case PasswordCallback password -> {}
                case RealmCallback realm -> realm.setText(realm.getDefaultText());
                case AuthorizeCallback asked ->
                    asked.setAuthorized(asked.getAuthenticationID().equals(asked.getAuthorizationID()));
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
        HiveTokenIdentifier known = identifier;
        for (Callback callback : callbacks) {
            if (callback instanceof PasswordCallback password && known != null) {
                password.setPassword(password(known));
            }
        }
    }

    private static HiveTokenIdentifier read(String name) throws IOException {
        try {
            return TokenText.identifier(name);
        } catch (AuthenticationException e) {
            throw new IOException(e);
        }
    }

    private char[] password(HiveTokenIdentifier known) throws IOException {
        try {
            return tokens.password(known);
        } catch (AuthenticationException e) {
            throw new IOException(e);
        }
    }

    @Override
    public byte[] answer(byte[] message) throws AuthenticationException {
        try {
            byte[] answer = sasl.evaluateResponse(message);
            return answer == null ? new byte[0] : answer;
        } catch (SaslException e) {
            throw new AuthenticationException(KerberosAcceptor.reason(e), e);
        }
    }

    @Override
    public String user() throws AuthenticationException {
        HiveTokenIdentifier known = identifier;
        if (!isComplete() || known == null) {
            throw new AuthenticationException("the client has not shown a delegation token");
        }
        tokens.checkThere(known);
        return known.getOwner().toString();
    }

    @Override
    public SaslServer mechanism() {
        return sasl;
    }
}
