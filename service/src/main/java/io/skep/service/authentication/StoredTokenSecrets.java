package io.skep.service.authentication;

import com.google.common.util.concurrent.Uninterruptibles;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.DelegationTokenStore;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delegation tokens in the metastore database, which all servers on it accept, Hive's included. A token is looked up
 * only after its signature by one of the site's keys was verified, so that strangers cannot make the server ask the
 * database. Nothing of tokens is kept in memory, so a token that was cancelled by another server is refused at once.
 *
 * <p>Hadoop's thread ends the process when its work fails, so what it calls here fails with IOException or not at all.
 */
final class StoredTokenSecrets extends TokenSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(StoredTokenSecrets.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A server of Hive removes a token and adds it again when it renews it. */
    private static final Duration RENEWAL = Duration.ofMillis(200);

    /** Everyone can send a token with the number of a key that does not exist. */
    private static final long RELOAD_NANOS = 1_000_000_000L;

    private final Supplier<DelegationTokenStore> store;
    private final long renewMillis;

    @GuardedBy("this")
    private long loadedNanos = System.nanoTime() - RELOAD_NANOS;

    /** @param store waits for the metastore when it is first asked */
    StoredTokenSecrets(DelegationTokenConfig config, Supplier<DelegationTokenStore> store) {
        super(config);
        this.store = store;
        this.renewMillis = config.renewInterval().toMillis();
    }

    @Override
    synchronized void begin() throws IOException {
        if (!isRunning()) {
            load();
        }
        super.begin();
    }

    /** Keys of other servers, and of the time before a restart. */
    private void load() {
        long now = System.currentTimeMillis();
        for (String text : store.get().keys()) {
            StoredTokens.key(text)
                    .filter(key -> key.getExpiryDate() > now)
                    .ifPresent(key -> allKeys.putIfAbsent(key.getKeyId(), key));
        }
    }

    @Override
    protected @Nullable DelegationKey getDelegationKey(int number) {
        DelegationKey known = allKeys.get(number);
        if (known == null && mayReload()) {
            load();
            known = allKeys.get(number);
        }
        return known;
    }

    private synchronized boolean mayReload() {
        long now = System.nanoTime();
        boolean may = now - loadedNanos >= RELOAD_NANOS;
        loadedNanos = may ? now : loadedNanos;
        return may;
    }

    @Override
    protected int incrementCurrentKeyId() {
        // Other servers and Hive's read all rows, so that the row of a key that is being made is one too.
        return store.get().addKey(StoredTokens.text(new DelegationKey(0, 0, new byte[0])));
    }

    @Override
    protected void storeNewMasterKey(DelegationKey key) {
        store.get().updateKey(key.getKeyId(), StoredTokens.text(key));
    }

    @Override
    protected void updateDelegationKey(DelegationKey key) throws IOException {
        super.updateDelegationKey(key);
        storeNewMasterKey(key);
    }

    @Override
    protected void rollMasterKey() throws IOException {
        try {
            super.rollMasterKey();
        } catch (SkepException e) {
            throw new IOException(e);
        }
    }

    @Override
    protected void removeStoredMasterKey(DelegationKey key) {
        try {
            store.get().removeKey(key.getKeyId());
        } catch (SkepException e) {
            LOG.warn("The key {} of delegation tokens stays in the database: {}", key.getKeyId(), e.fullMessage());
        }
    }

    /** The number only has to differ from those of other servers in the same millisecond. */
    @Override
    protected int incrementDelegationTokenSeqNum() {
        return RANDOM.nextInt(Integer.MAX_VALUE);
    }

    @Override
    protected void storeToken(HiveTokenIdentifier identifier, DelegationTokenInformation information) {
        String name = StoredTokens.text(identifier);
        if (name.length() > DelegationTokenStore.MAX_LENGTH) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "the delegation token would have " + name.length() + " characters, and the database's"
                                    + " tables have " + DelegationTokenStore.MAX_LENGTH)
                    .withHint("the names of owner, renewer and gateway are too long");
        }
        if (!store.get().addToken(name, StoredTokens.text(secret(identifier), information))) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "there is such a delegation token already");
        }
    }

    @Override
    protected void updateToken(HiveTokenIdentifier identifier, DelegationTokenInformation information)
            throws IOException {
        if (!store.get()
                .replaceToken(StoredTokens.text(identifier), StoredTokens.text(secret(identifier), information))) {
            throw new InvalidToken("the token was cancelled");
        }
    }

    @Override
    protected @Nullable DelegationTokenInformation getTokenInfo(HiveTokenIdentifier identifier) {
        return store.get()
                .token(StoredTokens.text(identifier))
                .flatMap(StoredTokens::information)
                .orElse(null);
    }

    private byte[] secret(HiveTokenIdentifier identifier) {
        DelegationKey key = getDelegationKey(identifier.getMasterKeyId());
        if (key == null) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "a delegation token's key has ended");
        }
        return createPassword(identifier.getBytes(), key.getKey());
    }

    /** Returns what the token's secret must be, without a look at the database. */
    @Override
    public byte[] retrievePassword(HiveTokenIdentifier identifier) throws InvalidToken {
        DelegationKey key = getDelegationKey(identifier.getMasterKeyId());
        if (key == null) {
            throw new InvalidToken("the token was signed with a key that the site does not have");
        }
        return createPassword(identifier.getBytes(), key.getKey());
    }

    @Override
    public void verifyToken(HiveTokenIdentifier identifier, byte[] secret) throws InvalidToken {
        if (!MessageDigest.isEqual(retrievePassword(identifier), secret)) {
            throw new InvalidToken("the token's secret is wrong");
        }
        checkThere(identifier);
    }

    @Override
    void checkThere(HiveTokenIdentifier identifier) throws InvalidToken {
        DelegationTokenInformation known = getTokenInfo(identifier);
        if (known == null) {
            // A server of Hive may be renewing it. The token's signature was verified, so strangers do not wait here.
            Uninterruptibles.sleepUninterruptibly(RENEWAL);
            known = getTokenInfo(identifier);
        }
        if (known == null) {
            throw new InvalidToken("the token was cancelled, or has ended and was removed");
        }
        if (known.getRenewDate() < System.currentTimeMillis()) {
            throw new InvalidToken("the token has ended");
        }
    }

    /** Hadoop's class looks for the token in memory. */
    @Override
    public synchronized HiveTokenIdentifier cancelToken(Token<HiveTokenIdentifier> token, String canceller)
            throws IOException {
        HiveTokenIdentifier identifier = createIdentifier();
        identifier.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
        DelegationTokenInformation known = getTokenInfo(identifier);
        if (known != null) {
            currentTokens.put(identifier, known);
        }
        try {
            return super.cancelToken(token, canceller);
        } finally {
            currentTokens.remove(identifier);
        }
    }

    @Override
    protected void removeStoredToken(HiveTokenIdentifier identifier) throws IOException {
        if (!store.get().removeToken(StoredTokens.text(identifier))) {
            throw new InvalidToken("the token was cancelled");
        }
    }

    /** Returns the tokens that have ended, or were renewed. One that is new enough cannot have ended. */
    @Override
    protected Map<HiveTokenIdentifier, DelegationTokenInformation> getCandidateTokensForCleanup() {
        Map<HiveTokenIdentifier, DelegationTokenInformation> candidates = new HashMap<>();
        long now = System.currentTimeMillis();
        try {
            for (HiveTokenIdentifier identifier : identifiers()) {
                if (identifier.getIssueDate() + renewMillis < now) {
                    Optional.ofNullable(getTokenInfo(identifier)).ifPresent(known -> candidates.put(identifier, known));
                }
            }
        } catch (SkepException e) {
            LOG.warn("Delegation tokens that have ended stay in the database: {}", e.fullMessage());
        }
        return candidates;
    }

    /** Servers look for ended tokens at their own times; who comes second finds nothing. */
    @Override
    protected void removeExpiredStoredToken(HiveTokenIdentifier identifier) {
        try {
            var _ = store.get().removeToken(StoredTokens.text(identifier));
        } catch (SkepException e) {
            LOG.warn("A delegation token that has ended stays in the database: {}", e.fullMessage());
        }
    }

    private List<HiveTokenIdentifier> identifiers() {
        return store.get().identifiers().stream()
                .flatMap(text -> StoredTokens.identifier(text).stream())
                .toList();
    }

    @Override
    Count count(String asking) {
        Text user = new Text(asking);
        List<HiveTokenIdentifier> all = identifiers();
        return new Count(
                all.size(),
                all.stream().filter(token -> token.getRealUser().equals(user)).count());
    }
}
