package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.testing.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests encrypted connections of the binary transport. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestTlsConnections {
    private static final TOpenSessionReq OPEN = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);

    @TempDir
    private static Path folder;

    private static SelfSigned own;
    private static SelfSigned other;

    @BeforeAll
    static void makeKeys() throws Exception {
        own = SelfSigned.make(folder.resolve("own.p12"));
        other = SelfSigned.make(folder.resolve("other.p12"));
    }

    private static Map<String, String> encrypted(String... changes) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                own.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD));
        for (int i = 0; i < changes.length; i += 2) {
            settings.put(changes[i], changes[i + 1]);
        }
        return settings;
    }

    private static TSessionHandle open(TTransport transport) throws Exception {
        return TestingServer.client(transport).OpenSession(OPEN).getSessionHandle();
    }

    private static SSLSocket socket(SSLContext context, TestingServer server) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.thrift.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void encryptedClientsAreServed() throws Exception {
        for (String authentication : new String[] {"NONE", "NOSASL"}) {
            try (TestingServer server = new TestingServer(
                            encrypted("hive.server2.authentication", authentication), Optional.of(own.trustedBy()));
                    TTransport transport = server.login("ann")) {
                assertThat(open(transport)).isNotNull();
                server.thrift.awaitAnswer(Duration.ofSeconds(20));
            }
        }
    }

    @Test
    void plainClientsAreToldToUseTls() throws Exception {
        try (TestingServer server =
                new TestingServer(encrypted("hive.server2.authentication", "NONE"), Optional.of(own.trustedBy()))) {
            try (Bystander _ = new Bystander(server)) {
                try (TSocket plain = new TSocket("127.0.0.1", server.thrift.port())) {
                    plain.open();
                    assertThatThrownBy(() -> new SaslClient(plain, "\0ann\0x"))
                            .hasMessageContaining("connect with ssl=true");
                }
                try (TSocket plain = new TSocket("127.0.0.1", server.thrift.port())) {
                    plain.open();
                    assertThatThrownBy(() -> open(plain))
                            .isInstanceOf(TApplicationException.class)
                            .hasMessageContaining("connect with ssl=true");
                }
            }
        }
    }

    @Test
    void encryptedClientsOfAPlainServerAreRefusedAtOnce() throws Exception {
        for (String authentication : new String[] {"NONE", "NOSASL"}) {
            try (TestingServer server = new TestingServer(Map.of("hive.server2.authentication", authentication));
                    SSLSocket socket = socket(own.trustedBy(), server)) {
                assertThatThrownBy(socket::startHandshake)
                        .isInstanceOf(SSLException.class)
                        .hasMessageContaining("handshake_failure");
            }
        }
    }

    @Test
    void onlyClientsWithAKnownCertificateAreServedWhereItIsRequired() throws Exception {
        Map<String, String> settings = encrypted(
                "skep.thrift.tls.client-certificates",
                "required",
                "skep.thrift.tls.truststore.path",
                other.file().toString(),
                "skep.thrift.tls.truststore.password",
                SelfSigned.PASSWORD);
        try (TestingServer server = new TestingServer(settings, Optional.of(own.trustedBy(other)))) {
            try (TTransport transport = server.connect()) {
                assertThat(open(transport)).isNotNull();
            }
            for (SSLContext stranger : new SSLContext[] {own.trustedBy(), own.trustedBy(own)}) {
                try (SSLSocket socket = socket(stranger, server);
                        TTransport transport = new TSocket(socket)) {
                    assertThatThrownBy(() -> open(transport)).isInstanceOf(Exception.class);
                }
            }
            assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0))
                    .isTrue();
            assertThat(server.sessions.all()).isEmpty();
        }
    }

    @Test
    void versionsAndCipherSuitesAreThoseOfTheSettings() throws Exception {
        String suite = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
        Map<String, String> settings = encrypted(
                "hive.ssl.protocol.blacklist",
                "SSLv3, tlsv1.3",
                "hive.server2.binary.include.ciphersuites",
                suite + ":TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
        try (TestingServer server = new TestingServer(settings)) {
            try (SSLSocket socket = socket(own.trustedBy(), server)) {
                socket.startHandshake();
                assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
                assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
            }
            try (SSLSocket socket = socket(own.trustedBy(), server)) {
                socket.setEnabledProtocols(new String[] {"TLSv1.3"});
                assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
            }
        }
    }

    @Test
    void clientsThatGoWhileTheServerWorksForThem() throws Exception {
        try (TestingServer server = new TestingServer(encrypted(), Optional.of(own.trustedBy()))) {
            TTransport transport = server.connect();
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle session = client.OpenSession(OPEN).getSessionHandle();
            client.send_ExecuteStatement(new TExecuteStatementReq(session, "wait"));
            assertThat(TestingServer.comesTrue(() -> server.sessions.runningStatements() == 1))
                    .isTrue();
            transport.close();
            assertThat(TestingServer.comesTrue(() -> server.sessions.all().isEmpty()
                            && server.sessions.runningStatements() == 0
                            && server.engine.openStatements() == 0
                            && server.thrift.connectionCount() == 0))
                    .as("nothing is left of the client")
                    .isTrue();
        }
    }

    private static void refused(Map<String, String> settings, String why) {
        assertThatThrownBy(() -> new TestingServer(settings).close())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("S3CRET");
    }

    @Test
    void wrongSettingsStopTheStartByName() throws Exception {
        refused(Map.of("hive.server2.use.SSL", "true"), "hive.server2.keystore.path is not set");
        refused(encrypted("hive.server2.keystore.path", "/nowhere/k.p12"), "hive.server2.keystore.path names");
        refused(encrypted("hive.server2.keystore.password", "S3CRETs"), "hive.server2.keystore.password is not");
        refused(encrypted("hive.server2.keystore.password", ""), "hive.server2.keystore.password is not");
        refused(encrypted("hive.server2.keystore.type", "PAPER"), "hive.server2.keystore.path names");
        Path nonsense = Files.writeString(folder.resolve("nonsense.p12"), "nonsense");
        refused(encrypted("hive.server2.keystore.path", nonsense.toString()), "which cannot be read");
        refused(encrypted("hive.server2.keymanagerfactory.algorithm", "none"), "keymanagerfactory.algorithm 'none'");
        refused(encrypted("hive.ssl.protocol.blacklist", "TLSv1.2,TLSv1.3"), "leaves no version");
        refused(encrypted("hive.server2.binary.include.ciphersuites", "ROT13"), "no cipher suite 'ROT13'");
        refused(encrypted("hive.server2.http.exclude.ciphersuites", "TLS_.*,*"), "names '*', which is no pattern");
        refused(encrypted("skep.thrift.tls.client-certificates", "required"), "truststore.path is not set");
        refused(Map.of("skep.thrift.tls.client-certificates", "required"), "needs hive.server2.use.SSL=true");
    }

    @Test
    void thePasswordMayBeInACredentialProvider() throws Exception {
        String provider = "localjceks://file" + folder.resolve("passwords.jceks");
        Configuration site = new Configuration(false);
        site.set("hadoop.security.credential.provider.path", provider);
        CredentialProvider file = CredentialProviderFactory.getProviders(site).getFirst();
        file.createCredentialEntry("hive.server2.keystore.password", SelfSigned.PASSWORD.toCharArray());
        file.flush();
        Map<String, String> settings = encrypted("hadoop.security.credential.provider.path", provider);
        settings.remove("hive.server2.keystore.password");
        try (TestingServer server = new TestingServer(settings, Optional.of(own.trustedBy()));
                TTransport transport = server.connect()) {
            assertThat(open(transport)).isNotNull();
        }
    }
}
