package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.PasswordAuthenticator;
import io.skep.authentication.testing.TestingKdc;
import io.skep.service.session.ClientSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.sasl.SaslClient;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests logins of the binary transport by Kerberos, and the protection of its messages. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestKerberosConnections {
    private static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
    private static final String ALL = "auth-conf,auth-int,auth";
    private static final String QOP = "hive.server2.thrift.sasl.qop";

    @TempDir
    private static Path folder;

    private static TestingKdc kdc;
    private static Subject ann;

    @BeforeAll
    static void start() throws Exception {
        kdc = TestingKdc.start(folder);
        ann = kdc.login("ann");
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    private static void refused(TestingServer server, TTransport socket, Subject client, String why) {
        try (socket) {
            assertThatThrownBy(() -> KerberosClient.open(socket, client, "hive", ALL))
                    .hasMessageContaining(why);
        }
        assertThat(server.sessions.all()).isEmpty();
        assertThat(TestingServer.comesTrue(
                        () -> server.thrift.connectionCount() == 0 && server.thrift.requestBytes() == 0))
                .as("nothing is left of the client")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth", "auth-int", "auth-conf"})
    void clientsWithTicketsAreServed(String protection) throws Exception {
        try (TestingServer server = new TestingServer(kdc.server(QOP, protection));
                TTransport transport = KerberosClient.open(server.connect(), ann, "hive", ALL)) {
            TCLIService.Client client = TestingServer.client(transport);
            TOpenSessionReq open = new TOpenSessionReq(OPEN);
            open.setUsername("root");
            TSessionHandle session = client.OpenSession(open).getSessionHandle();
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann");
            assertThat(client.ExecuteStatement(new TExecuteStatementReq(session, "x".repeat(5_000_000)))
                            .getStatus()
                            .getErrorMessage())
                    .contains("no such statement");
            TExecuteStatementResp run = client.ExecuteStatement(new TExecuteStatementReq(session, "rows 100000"));
            long rows = 0;
            int count = 1;
            while (count > 0) {
                count = client.FetchResults(
                                new TFetchResultsReq(run.getOperationHandle(), TFetchOrientation.FETCH_NEXT, 100_000))
                        .getResults()
                        .getColumns()
                        .getFirst()
                        .getI32Val()
                        .getValuesSize();
                rows += count;
            }
            assertThat(rows).isEqualTo(100_000);
            client.CloseSession(new TCloseSessionReq(session));
            assertThat(server.thrift.requestBytes()).isZero();
            server.thrift.awaitAnswer(Duration.ofSeconds(20));
        }
    }

    @Test
    void theProtectionIsThatOfTheServer() throws Exception {
        for (String protection : new String[] {"auth-int", "auth-conf"}) {
            try (TestingServer server = new TestingServer(kdc.server(QOP, protection));
                    TTransport socket = server.connect()) {
                assertThatThrownBy(() -> KerberosClient.open(socket, ann, "hive", "auth"))
                        .hasMessageContaining("protection layer");
                assertThat(server.sessions.all()).isEmpty();
            }
        }
    }

    /** What is sent between them is not readable. */
    @Test
    void encryptedMessagesShowNothing() throws Exception {
        for (String protection : new String[] {"auth-int", "auth-conf"}) {
            try (TestingServer server = new TestingServer(kdc.server(QOP, protection));
                    TTransport socket = server.connect()) {
                SaslClient sasl = KerberosClient.login(socket, ann, protection);
                ProtectedFrames frames = new ProtectedFrames(socket, sasl);
                frames.send(ProtectedFrames.openSession());
                assertThat(frames.received().contains("OpenSession")).isEqualTo(protection.equals("auth-int"));
            }
        }
    }

    @Test
    void clientsWithoutATicketForThisServerAreRefused() throws Exception {
        kdc.keytab("another service", "other/localhost");
        try (TestingServer server = new TestingServer(kdc.server())) {
            try (TTransport socket = server.connect()) {
                assertThatThrownBy(() -> KerberosClient.open(socket, new Subject(), "hive", ALL))
                        .hasMessageContaining("GSS initiate failed");
            }
            try (TTransport socket = server.connect()) {
                assertThatThrownBy(() -> KerberosClient.open(socket, ann, "other", ALL))
                        .hasMessageContaining(PasswordAuthenticator.REFUSAL);
            }
            assertThat(server.sessions.all()).isEmpty();
        }
    }

    @Test
    void principalsWithoutAUserNameAreRefused() throws Exception {
        Subject bob = kdc.login("bob");
        try (TestingServer server = new TestingServer(
                kdc.server("hadoop.security.auth_to_local", "RULE:[1:$1@$0](ann@EXAMPLE\\.ORG)s/.*/analyst/"))) {
            refused(server, server.connect(), bob, PasswordAuthenticator.REFUSAL);
            try (TTransport transport = KerberosClient.open(server.connect(), ann, "hive", ALL)) {
                TestingServer.client(transport).OpenSession(OPEN);
                assertThat(server.sessions.all())
                        .extracting(ClientSession::user)
                        .containsExactly("analyst");
            }
        }
    }

    @Test
    void usersDoNotActAsOtherOnes() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server());
                TTransport socket = server.connect()) {
            SaslClient root = TestingKdc.as(
                    ann,
                    () -> javax.security.sasl.Sasl.createSaslClient(
                            new String[] {"GSSAPI"}, "root@EXAMPLE.ORG", "hive", "localhost", Map.of(), null));
            KerberosClient.begin(socket, KerberosClient.token(ann, root, new byte[0]));
            assertThatThrownBy(() -> {
                        while (true) {
                            byte[] token = KerberosClient.token(ann, root, KerberosClient.answer(socket, (byte) 2));
                            KerberosClient.send(socket, (byte) 2, token);
                        }
                    })
                    .isInstanceOf(TTransportException.class)
                    .hasMessageContaining(PasswordAuthenticator.REFUSAL);
        }
    }

    @Test
    void aTokenIsGoodForOneLogin() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server())) {
            byte[] token = KerberosClient.token(ann, KerberosClient.sasl(ann, "auth"), new byte[0]);
            try (TTransport first = server.connect();
                    TTransport second = server.connect()) {
                KerberosClient.begin(first, token);
                assertThat(KerberosClient.answer(first, (byte) 2)).isNotEmpty();
                KerberosClient.begin(second, token);
                assertThatThrownBy(() -> KerberosClient.answer(second, (byte) 2))
                        .hasMessageContaining(PasswordAuthenticator.REFUSAL);
            }
        }
    }

    @Test
    void clientsOfAnotherKindAreToldHowToConnect() throws Exception {
        try (TestingServer server = new TestingServer(kdc.server())) {
            String how = "hive.server2.authentication=KERBEROS: connect with principal=" + TestingKdc.SERVER;
            try (TTransport socket = server.connect()) {
                assertThatThrownBy(() -> new io.skep.service.wire.SaslClient(socket, "\0ann\0secret"))
                        .hasMessageContaining("Unsupported mechanism type PLAIN")
                        .hasMessageContaining(how);
            }
            try (TTransport socket = server.connect()) {
                assertThatThrownBy(() -> TestingServer.client(socket).OpenSession(OPEN))
                        .isInstanceOf(TApplicationException.class)
                        .hasMessageContaining(how);
            }
        }
        try (TestingServer server = new TestingServer(Map.of("hive.server2.authentication", "NONE"))) {
            refused(server, server.connect(), ann, "hive.server2.authentication=NONE: connect with SASL PLAIN");
        }
    }

    /** The keytab is read for each login. */
    @Test
    void keysAreRenewedWhileTheServerRuns() throws Exception {
        Path keytab = folder.resolve("renewed.keytab");
        Path right = Path.of(kdc.server().get("hive.server2.authentication.kerberos.keytab"));
        Files.copy(right, keytab, StandardCopyOption.COPY_ATTRIBUTES);
        try (TestingServer server =
                new TestingServer(kdc.server("hive.server2.authentication.kerberos.keytab", keytab.toString()))) {
            Files.copy(
                    kdc.keytab("stranger", "stranger/localhost"),
                    keytab,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
            refused(server, server.connect(), ann, PasswordAuthenticator.REFUSAL);
            Files.copy(right, keytab, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            try (TTransport transport = KerberosClient.open(server.connect(), ann, "hive", ALL)) {
                assertThat(TestingServer.client(transport).OpenSession(OPEN).getSessionHandle())
                        .isNotNull();
            }
        }
    }
}
