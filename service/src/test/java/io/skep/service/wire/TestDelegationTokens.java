package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.testing.TestingKdc;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.session.ClientSession;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.RealmChoiceCallback;
import javax.security.sasl.Sasl;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TSaslClientTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delegation tokens on the binary transport: who gets, renews, cancels and uses them. */
@Timeout(120)
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestDelegationTokens {
    private static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
    private static final String ALL = "auth-conf,auth-int,auth";

    @TempDir
    private static Path folder;

    private static TestingKdc kdc;
    private static Subject ann;
    private static Subject rita;

    @BeforeAll
    static void start() throws Exception {
        kdc = TestingKdc.start(folder);
        ann = kdc.login("ann");
        rita = kdc.login("rita");
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    /** A session of a client. */
    private record Opened(TTransport transport, TCLIService.Client calls, TSessionHandle session)
            implements AutoCloseable {
        static Opened of(TTransport transport) throws TException {
            TCLIService.Client calls = TestingServer.client(transport);
            return new Opened(
                    transport,
                    calls,
                    calls.OpenSession(new TOpenSessionReq(OPEN)).getSessionHandle());
        }

        static Opened byTicket(TestingServer server, Subject client) throws Exception {
            return of(KerberosClient.open(server.connect(), client, "hive", ALL));
        }

        static Opened byToken(TestingServer server, String token) throws Exception {
            return of(open(server.connect(), token, "auth"));
        }

        TGetDelegationTokenResp get(String owner, String renewer) throws TException {
            return calls.GetDelegationToken(new TGetDelegationTokenReq(session, owner, renewer));
        }

        String token() throws TException {
            TGetDelegationTokenResp answer = get("ann", "rita");
            assertThat(answer.getStatus().getStatusCode()).isEqualTo(TStatusCode.SUCCESS_STATUS);
            return answer.getDelegationToken();
        }

        TStatus renew(String token) throws TException {
            return calls.RenewDelegationToken(new TRenewDelegationTokenReq(session, token))
                    .getStatus();
        }

        TStatus cancel(String token) throws TException {
            return calls.CancelDelegationToken(new TCancelDelegationTokenReq(session, token))
                    .getStatus();
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    /** Logs in as Hive's driver does: with Hadoop's names of mechanism and realm. */
    private static TTransport open(TTransport socket, String token, String protection) throws Exception {
        Token<TokenIdentifier> read = new Token<>();
        read.decodeFromUrlString(token);
        return open(socket, encoded(read.getIdentifier()), encoded(read.getPassword()), protection);
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static TTransport open(TTransport socket, String name, String password, String protection)
            throws Exception {
        TTransport transport = new TSaslClientTransport(
                "DIGEST-MD5",
                null,
                null,
                "default",
                Map.of(Sasl.QOP, protection, Sasl.SERVER_AUTH, "true"),
                callbacks -> {
                    for (Callback callback : callbacks) {
                        switch (callback) {
                            case NameCallback asked -> asked.setName(name);
                            case PasswordCallback asked -> asked.setPassword(password.toCharArray());
                            case RealmChoiceCallback asked -> asked.setSelectedIndex(asked.getDefaultChoice());
                            case RealmCallback asked -> asked.setText(asked.getDefaultText());
                            default -> throw new IOException(callback.toString());
                        }
                    }
                },
                socket);
        transport.open();
        return transport;
    }

    private static void assertDenied(TStatus status) {
        assertThat(status.getStatusCode()).isEqualTo(TStatusCode.ERROR_STATUS);
        assertThat(status.getErrorCode()).isEqualTo(StandardErrorCode.ACCESS_DENIED.code());
    }

    private static void assertDone(TStatus status) {
        assertThat(status.getStatusCode()).as(status.getErrorMessage()).isEqualTo(TStatusCode.SUCCESS_STATUS);
    }

    private static void assertRefused(TestingServer server, String token) throws Exception {
        try (TTransport socket = server.connect()) {
            assertThatThrownBy(() -> open(socket, token, "auth")).isInstanceOf(TTransportException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth", "auth-int", "auth-conf"})
    void aTokenLogsItsOwnerIn(String protection) throws Exception {
        try (TestingServer server = new TestingServer(kdc.server("hive.server2.thrift.sasl.qop", protection));
                Opened ticket = Opened.byTicket(server, ann);
                Opened client = Opened.of(open(server.connect(), ticket.token(), protection))) {
            assertThat(client.session()).isNotNull();
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann", "ann");
        }
    }

    @Test
    void aTokenGivesNoOtherOne() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server());
                Opened ticket = Opened.byTicket(server, ann)) {
            String token = ticket.token();
            try (Opened client = Opened.byToken(server, token)) {
                assertDenied(client.get("ann", "rita").getStatus());
                assertDenied(client.renew(token));
                assertDone(client.cancel(token));
            }
            assertRefused(server, token);
        }
    }

    @Test
    void renewersRenewAndOwnersCancel() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server());
                Opened owner = Opened.byTicket(server, ann);
                Opened renewer = Opened.byTicket(server, rita);
                Opened other = Opened.byTicket(server, kdc.login("otto"))) {
            String token = owner.token();
            assertDenied(owner.renew(token));
            assertDenied(other.renew(token));
            assertDone(renewer.renew(token));
            assertDenied(other.cancel(token));
            Opened.byToken(server, token).close();
            assertDone(owner.cancel(token));
            assertRefused(server, token);
            assertDenied(renewer.renew(token));
            String second = owner.token();
            assertDone(renewer.cancel(second));
            assertRefused(server, second);
        }
    }

    @Test
    void tokensForOthersNeedTheRulesOfGateways() throws Exception {
        try (TestingServer server = new TestingServer(
                        kdc.server("hadoop.proxyuser.ann.hosts", "*", "hadoop.proxyuser.ann.users", "bob"));
                Opened gateway = Opened.byTicket(server, ann);
                Opened stranger = Opened.byTicket(server, rita)) {
            assertDenied(stranger.get("bob", "rita").getStatus());
            assertDenied(gateway.get("root", "ann").getStatus());
            TGetDelegationTokenResp answer = gateway.get("bob", "ann@EXAMPLE.ORG");
            assertDone(answer.getStatus());
            assertDone(gateway.renew(answer.getDelegationToken()));
            try (Opened _ = Opened.byToken(server, answer.getDelegationToken())) {
                assertThat(server.sessions.all())
                        .extracting(ClientSession::user)
                        .contains("bob");
            }
        }
    }

    @Test
    void forgedTokensAreRefused() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server());
                Opened owner = Opened.byTicket(server, ann)) {
            Token<TokenIdentifier> token = new Token<>();
            token.decodeFromUrlString(owner.token());
            byte[] changed = token.getIdentifier().clone();
            changed[2] ^= 1;
            try (TTransport socket = server.connect()) {
                assertThatThrownBy(() -> open(socket, encoded(changed), encoded(token.getPassword()), "auth"))
                        .isInstanceOf(TTransportException.class);
            }
            try (TTransport socket = server.connect()) {
                byte[] guess = token.getPassword().clone();
                guess[0] ^= 1;
                assertThatThrownBy(() -> open(socket, encoded(token.getIdentifier()), encoded(guess), "auth"))
                        .isInstanceOf(TTransportException.class);
            }
            for (String name : new String[] {"", "ann", encoded(huge()), encoded(new byte[] {0, 1})}) {
                try (TTransport socket = server.connect()) {
                    assertThatThrownBy(() -> open(socket, name, "x", "auth")).isInstanceOf(TTransportException.class);
                }
            }
            String damaged = Base64.getUrlEncoder().withoutPadding().encodeToString(huge());
            assertDenied(owner.renew(damaged));
            assertDenied(owner.cancel(damaged));
            Token<TokenIdentifier> inner =
                    new Token<>(huge(), token.getPassword(), token.getKind(), token.getService());
            assertDenied(owner.renew(inner.encodeToUrlString()));
            assertDenied(owner.cancel(inner.encodeToUrlString()));
            token.setID(changed);
            assertDenied(owner.renew(token.encodeToUrlString()));
            assertDenied(owner.cancel(token.encodeToUrlString()));
            assertThat(server.sessions.all()).hasSize(1);
        }
    }

    /** Returns fields that claim to have two gigabytes. */
    private static byte[] huge() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(0);
        WritableUtils.writeVInt(out, Integer.MAX_VALUE);
        byte[] huge = Arrays.copyOf(bytes.toByteArray(), bytes.size() + 3);
        assertThat(new String(huge, StandardCharsets.ISO_8859_1)).hasSizeLessThan(20);
        return huge;
    }

    @Test
    void tokensEnd() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server(
                        "hive.cluster.delegation.token.renew-interval",
                        "2s",
                        "hive.cluster.delegation.token.max-lifetime",
                        "5s"));
                Opened owner = Opened.byTicket(server, ann);
                Opened renewer = Opened.byTicket(server, rita)) {
            String forgotten = owner.token();
            Opened.byToken(server, forgotten).close();
            Awaitility.await().untilAsserted(() -> assertRefused(server, forgotten));
            String renewed = owner.token();
            Awaitility.await().until(() -> renewer.renew(renewed).getStatusCode() == TStatusCode.ERROR_STATUS);
            assertRefused(server, renewed);
        }
    }

    @Test
    void otherServersHaveNone() throws Exception {
        try (TestingServer first = new TestingServer(kdc.server());
                TestingServer second = new TestingServer(kdc.server());
                TestingServer plain = new TestingServer(Map.of());
                Opened owner = Opened.byTicket(first, ann);
                Opened client = Opened.of(plain.login("ann"))) {
            assertRefused(second, owner.token());
            assertRefused(plain, owner.token());
            TStatus status = client.get("ann", "ann").getStatus();
            assertThat(status.getErrorCode()).isEqualTo(StandardErrorCode.NOT_SUPPORTED.code());
            assertThat(status.getErrorMessage()).contains("Delegation token only supported over kerberos");
        }
    }
}
