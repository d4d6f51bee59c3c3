package io.skep.service.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.AuthenticationException;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.skep.metastore.privilege.DelegationTokenStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hive.metastore.DatabaseProduct;
import org.apache.hadoop.hive.metastore.security.DelegationTokenIdentifier;
import org.apache.hadoop.hive.metastore.security.TokenStoreDelegationTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Delegation tokens in a metastore database on PostgreSQL, as several servers use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestStoredDelegationTokens {
    private EmbeddedPostgres database;
    private DataDirectory data;
    private LocalMetastore metastore;
    private DelegationTokenStore store;

    @BeforeAll
    void open(@TempDir Path folder) throws IOException {
        // Hive's library takes one kind of database in one process, and other tests of this one have Derby.
        DatabaseProduct.reset();
        database = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
        data = DataDirectory.open(folder.resolve("data"));
        String url = database.getJdbcUrl("postgres", "postgres");
        metastore = LocalMetastore.open(
                MetastoreConfig.of(Map.of("javax.jdo.option.ConnectionURL", url), folder.resolve("data")), data);
        store = metastore.delegationTokens();
    }

    @AfterAll
    void close() throws IOException {
        metastore.close();
        data.close();
        database.close();
        DatabaseProduct.reset();
    }

    /** Returns the tokens of one more server. */
    private DelegationTokens server(Duration keys, Duration renewal, Duration gc) {
        DelegationTokenConfig config = new DelegationTokenConfig(keys, Duration.ofDays(7), renewal, gc, true);
        return new DelegationTokens(config, () -> store);
    }

    private DelegationTokens server() {
        return server(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
    }

    private static void refused(DelegationTokens server, String token) {
        assertThatThrownBy(() -> server.verify(token)).isInstanceOf(AuthenticationException.class);
    }

    @Test
    void allServersAcceptRenewAndCancel() throws Exception {
        try (DelegationTokens one = server();
                DelegationTokens other = server()) {
            String token = one.issue("ann", "rita", "gateway");
            assertThat(one.verify(token)).isEqualTo("ann");
            assertThat(other.verify(token)).isEqualTo("ann");
            assertThat(other.renew(token, "rita")).isAfter(Instant.now().plus(Duration.ofHours(23)));
            assertThatThrownBy(() -> other.renew(token, "bob"))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
            assertThatThrownBy(() -> other.cancel(token, "bob")).isInstanceOf(SkepException.class);
            assertThat(one.verify(token)).isEqualTo("ann");
            assertThat(other.cancel(token, "ann")).isEqualTo("ann");
            refused(one, token);
            refused(other, token);
            assertThatThrownBy(() -> one.cancel(token, "ann")).isInstanceOf(SkepException.class);
            assertThatThrownBy(() -> one.renew(token, "rita")).isInstanceOf(SkepException.class);
        }
    }

    /** A server that is killed while it renews a token must not lose it, and others must find it at any moment. */
    @Test
    void aTokenIsThereWhileItIsRenewed() throws Exception {
        assertThat(store.addToken("renewed", "0")).isTrue();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Integer> renewing = new FutureTask<>(() -> {
            int renewals = 0;
            for (; !over.get(); renewals++) {
                assertThat(store.replaceToken("renewed", Integer.toString(renewals)))
                        .isTrue();
            }
            return renewals;
        });
        Thread.ofVirtual().start(renewing);
        try {
            for (int i = 0; i < 500; i++) {
                assertThat(store.token("renewed")).isPresent();
            }
        } finally {
            over.set(true);
        }
        int renewals = renewing.get();
        assertThat(renewals).isGreaterThan(10);
        assertThat(store.token("renewed")).contains(Integer.toString(renewals - 1));
        assertThat(store.removeToken("renewed")).isTrue();
    }

    @Test
    void aTokenThatWasCancelledDoesNotComeBack() {
        assertThat(store.replaceToken("cancelled", "secret")).isFalse();
        assertThat(store.token("cancelled")).isEmpty();
    }

    @Test
    void tokensOutliveTheirServer() throws Exception {
        String token;
        try (DelegationTokens first = server()) {
            token = first.issue("ann", "", "ann");
        }
        try (DelegationTokens later = server()) {
            assertThat(later.verify(token)).isEqualTo("ann");
            assertThat(later.cancel(token, "ann")).isEqualTo("ann");
        }
    }

    @Test
    void forgedTokensAreRefusedWithoutALookUp() throws Exception {
        try (DelegationTokens one = server()) {
            Token<HiveTokenIdentifier> token = TokenText.token(one.issue("ann", "ann", "ann"));
            byte[] identifier = token.getIdentifier().clone();
            identifier[2] ^= 1;
            int before = store.identifiers().size();
            refused(
                    one,
                    new Token<HiveTokenIdentifier>(identifier, token.getPassword(), token.getKind(), token.getService())
                            .encodeToUrlString());
            byte[] secret = token.getPassword().clone();
            secret[0] ^= 1;
            String guessed = new Token<HiveTokenIdentifier>(
                            token.getIdentifier(), secret, token.getKind(), token.getService())
                    .encodeToUrlString();
            refused(one, guessed);
            assertThatThrownBy(() -> one.renew(guessed, "ann")).isInstanceOf(SkepException.class);
            assertThat(store.identifiers()).hasSize(before);
        }
    }

    @Test
    void whatHasEndedIsRemovedAndKeysAreRolled() throws Exception {
        Duration soon = Duration.ofMillis(300);
        try (DelegationTokens one = server(soon, Duration.ofSeconds(1), soon);
                DelegationTokens other = server(soon, Duration.ofSeconds(1), soon)) {
            int keys = store.keys().size();
            String first = one.issue("ann", "ann", "ending");
            String second = other.issue("ann", "ann", "ending");
            assertThat(other.verify(first)).isEqualTo("ann");
            assertThat(one.verify(second)).isEqualTo("ann");
            Awaitility.await().until(() -> count("ending") == 0);
            refused(one, first);
            refused(other, first);
            assertThat(store.keys()).hasSizeGreaterThan(keys + 2);
            String later = one.issue("ann", "ann", "ann");
            assertThat(keyOf(later)).isNotEqualTo(keyOf(first)).isNotEqualTo(keyOf(second));
            assertThat(other.verify(later)).isEqualTo("ann");
        }
    }

    private long count(String asking) {
        return store.identifiers().stream()
                .flatMap(text -> StoredTokens.identifier(text).stream())
                .filter(identifier -> identifier.getRealUser().toString().equals(asking))
                .count();
    }

    private static int keyOf(String token) throws AuthenticationException {
        return TokenText.identifier(TokenText.token(token).getIdentifier()).getMasterKeyId();
    }

    /** Hive's own class reads identifiers and keys as they are in the tables. */
    @Test
    void theTablesAreHives() throws Exception {
        try (DelegationTokens one = server()) {
            String token = one.issue("ann", "rita", "gateway");
            DelegationKey key = store.keys().stream()
                    .map(TestStoredDelegationTokens::keyOfHive)
                    .filter(known -> {
                        try {
                            return known.getKeyId() == keyOf(token);
                        } catch (AuthenticationException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .findFirst()
                    .orElseThrow();
            assertThat(key.getEncodedKey()).isNotEmpty();
            List<DelegationTokenIdentifier> read = store.identifiers().stream()
                    .map(TestStoredDelegationTokens::identifierOfHive)
                    .filter(identifier -> identifier.getRenewer().toString().equals("rita")
                            && identifier.getRealUser().toString().equals("gateway"))
                    .toList();
            assertThat(read).hasSize(1);
            assertThat(read.getFirst().getOwner()).hasToString("ann");
            assertThat(one.cancel(token, "rita")).isEqualTo("ann");
        }
    }

    private static DelegationKey keyOfHive(String text) {
        try {
            DelegationKey key = new DelegationKey();
            TokenStoreDelegationTokenSecretManager.decodeWritable(key, text);
            return key;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static DelegationTokenIdentifier identifierOfHive(String text) {
        try {
            DelegationTokenIdentifier identifier = new DelegationTokenIdentifier();
            TokenStoreDelegationTokenSecretManager.decodeWritable(identifier, text);
            return identifier;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatTheTablesCannotHoldIsRefused() {
        assertThatThrownBy(() -> {
                    try (DelegationTokens one = server()) {
                        one.issue("a".repeat(600), "ann", "ann");
                    }
                })
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT));
    }
}
