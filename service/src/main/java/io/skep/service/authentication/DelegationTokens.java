package io.skep.service.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager;

/**
 * The delegation tokens that this server has given, by Hadoop's own class: it makes and verifies them, and decides who
 * may renew and cancel them. They are in memory, so they end with the server and are worth nothing to others.
 * Thread-safe.
 */
public final class DelegationTokens implements AutoCloseable {
    /** What clients of HiveServer2 look for. */
    private static final Text SERVICE = new Text("hiveserver2ClientToken");

    private static final int MAX_TOKENS = 100_000;
    private static final int MAX_TOKENS_OF_USER = 1_000;

    private final DelegationTokenConfig config;
    private final Secrets secrets;

    DelegationTokens(DelegationTokenConfig config) {
        this.config = config;
        this.secrets = new Secrets(config);
    }

    private static final class Secrets extends AbstractDelegationTokenSecretManager<HiveTokenIdentifier> {
        Secrets(DelegationTokenConfig config) {
            super(
                    config.keyInterval().toMillis(),
                    config.maxLifetime().toMillis(),
                    config.renewInterval().toMillis(),
                    config.gcInterval().toMillis());
        }

        @Override
        public HiveTokenIdentifier createIdentifier() {
            return new HiveTokenIdentifier();
        }

        /** The thread that removes what has ended is there once there is a token. */
        private synchronized void begin() throws IOException {
            if (!isRunning()) {
                startThreads();
            }
        }

        private long count() {
            return currentTokens.size();
        }

        private long countOf(String asking) {
            Text user = new Text(asking);
            return currentTokens.keySet().stream()
                    .filter(token -> token.getRealUser().equals(user))
                    .count();
        }
    }

    /**
     * Returns a new token, as text.
     *
     * @param owner the user as whom its bearer logs in
     * @param renewer the user who may renew it, by its short name; empty for nobody
     * @param asking the user who has logged in and may act as the owner
     * @throws SkepException TOO_MANY_RESULTS when there are too many tokens
     */
    public String issue(String owner, String renewer, String asking) {
        requireRoom(secrets.count(), MAX_TOKENS, "the server has given ");
        requireRoom(secrets.countOf(asking), MAX_TOKENS_OF_USER, asking + " has asked for ");
        try {
            secrets.begin();
            Token<HiveTokenIdentifier> token = new Token<>(new HiveTokenIdentifier(owner, renewer, asking), secrets);
            token.setService(SERVICE);
            return token.encodeToUrlString();
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "no delegation token could be made: " + e, e);
        }
    }

    private void requireRoom(long count, int most, String who) {
        if (count >= most) {
            throw new SkepException(
                            StandardErrorCode.TOO_MANY_RESULTS,
                            who + count + " delegation tokens that have not ended, as many as may be")
                    .withHint("cancel tokens, or wait for their end (" + config.renewInterval() + " after a renewal)");
        }
    }

    /**
     * Renews a token, and returns the time of its new end.
     *
     * @throws SkepException ACCESS_DENIED when it is not valid, or the user is not its renewer
     */
    public Instant renew(String token, String user) {
        try {
            return Instant.ofEpochMilli(secrets.renewToken(checked(token), user));
        } catch (AuthenticationException | IOException e) {
            throw refused("renewed", e);
        }
    }

    /**
     * Cancels a token, and returns its owner.
     *
     * @throws SkepException ACCESS_DENIED when it is not there, or the user is neither its owner nor its renewer
     */
    public String cancel(String token, String user) {
        try {
            return secrets.cancelToken(checked(token), user).getOwner().toString();
        } catch (AuthenticationException | IOException e) {
            throw refused("cancelled", e);
        }
    }

    /** Hadoop's class reads the identifier without a look at its lengths. */
    private static Token<HiveTokenIdentifier> checked(String text) throws AuthenticationException {
        Token<HiveTokenIdentifier> token = TokenText.token(text);
        var _ = TokenText.identifier(token.getIdentifier());
        return token;
    }

    private static SkepException refused(String what, Exception why) {
        return new SkepException(
                StandardErrorCode.ACCESS_DENIED, "the delegation token is not " + what + ": " + reason(why), why);
    }

    /**
     * Returns the owner of a valid token.
     *
     * @throws AuthenticationException when it is forged, cancelled or has ended
     */
    public String verify(String token) throws AuthenticationException {
        Token<HiveTokenIdentifier> read = TokenText.token(token);
        HiveTokenIdentifier identifier = TokenText.identifier(read.getIdentifier());
        try {
            secrets.verifyToken(identifier, read.getPassword());
        } catch (InvalidToken e) {
            throw new AuthenticationException(reason(e), e);
        }
        return identifier.getOwner().toString();
    }

    /** Begins the login of a client of the binary transport that has a token. */
    public DigestNegotiation negotiate(SaslProtection protection, int maxMessageBytes) throws AuthenticationException {
        return new DigestNegotiation(this, protection, maxMessageBytes);
    }

    /** Returns the secret of a valid token, as SASL has it. */
    char[] password(HiveTokenIdentifier identifier) throws AuthenticationException {
        try {
            return TokenText.password(secrets.retrievePassword(identifier));
        } catch (InvalidToken e) {
            throw new AuthenticationException(reason(e), e);
        }
    }

    private static String reason(Exception failure) {
        return String.valueOf(failure.getMessage()).replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public void close() {
        secrets.stopThreads();
    }
}
