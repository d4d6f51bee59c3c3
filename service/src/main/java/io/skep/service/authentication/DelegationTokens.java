package io.skep.service.authentication;

import io.skep.authentication.AuthenticationException;
import io.skep.authentication.SaslProtection;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.DelegationTokenStore;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Supplier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * The delegation tokens that this server accepts: those that it has given, or those of all servers on the metastore
 * database. Thread-safe.
 */
public final class DelegationTokens implements AutoCloseable {
    /** What clients of HiveServer2 look for. */
    private static final Text SERVICE = new Text("hiveserver2ClientToken");

    private static final int MAX_TOKENS = 100_000;
    private static final int MAX_TOKENS_OF_USER = 1_000;

    private final DelegationTokenConfig config;
    private final Supplier<DelegationTokenStore> store;
    private final TokenSecrets secrets;

    /** @param store holds the tokens, where the configuration says so */
    DelegationTokens(DelegationTokenConfig config, Supplier<DelegationTokenStore> store) {
        this.config = config;
        this.store = store;
        this.secrets = config.stored() ? new StoredTokenSecrets(config, store) : new MemoryTokenSecrets(config);
    }

    /** Fails with INVALID_CONFIGURATION when tokens cannot be kept where the configuration says. */
    void checkStore() {
        if (config.stored()) {
            var _ = store.get();
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
        TokenSecrets.Count count = secrets.count(asking);
        requireRoom(count.all(), MAX_TOKENS, config.stored() ? "the site has " : "the server has given ");
        requireRoom(count.ofUser(), MAX_TOKENS_OF_USER, asking + " has asked for ");
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
            secrets.begin();
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
            secrets.begin();
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
        } catch (InvalidToken | SkepException e) {
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
        } catch (InvalidToken | SkepException e) {
            throw new AuthenticationException(reason(e), e);
        }
    }

    /**
     * Checks that a token whose secret the client has shown is still there.
     *
     * @throws AuthenticationException when it was cancelled or has ended
     */
    void checkThere(HiveTokenIdentifier identifier) throws AuthenticationException {
        try {
            secrets.checkThere(identifier);
        } catch (InvalidToken | SkepException e) {
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
