package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.service.session.ClientSession;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit assigns the field
final class TestPasswordLogins {
    @TempDir
    Path folder;

    private UserFile file;

    @BeforeEach
    void addUser() throws Exception {
        file = new UserFile(folder.resolve("users"));
        file.change(users -> users.put("ann", PasswordHash.of("secret")));
    }

    private Map<String, String> settings() {
        return Map.of(
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                folder.resolve("users").toString());
    }

    private static void refused(TestingServer server, String response) throws Exception {
        try (TTransport transport = server.connect()) {
            assertThatThrownBy(() -> new SaslClient(transport, response))
                    .isInstanceOf(TTransportException.class)
                    .hasMessage("3 Error validating the login");
        }
    }

    @Test
    void onlyTheRightPasswordOpensASession() throws Exception {
        try (TestingServer server = new TestingServer(settings())) {
            try (TTransport transport = new SaslClient(server.connect(), "\0ann\0secret")) {
                TestingServer.client(transport)
                        .OpenSession(new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10));
                assertThat(server.sessions.all())
                        .extracting(ClientSession::user)
                        .containsExactly("ann");
            }
            refused(server, "\0ann\0wrong");
            refused(server, "\0ann\0");
            refused(server, "\0ANN\0secret");
            refused(server, "\0bob\0secret");
            assertThat(TestingServer.comesTrue(() -> server.thrift.connectionCount() == 0))
                    .isTrue();
        }
    }

    @Test
    void aChangeOfTheFileIsEffectiveAtTheNextLogin() throws Exception {
        try (TestingServer server = new TestingServer(settings())) {
            new SaslClient(server.connect(), "\0ann\0secret").close();
            file.change(users -> users.put("ann", PasswordHash.of("other")));
            refused(server, "\0ann\0secret");
            new SaslClient(server.connect(), "\0ann\0other").close();
        }
    }

    @Test
    void clientsThatDoNotLogInAreRefused() throws Exception {
        try (TestingServer server = new TestingServer(settings());
                TTransport transport = server.connect()) {
            TOpenSessionReq open = new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
            open.setUsername("ann");
            open.setPassword("secret");
            assertThatThrownBy(() -> TestingServer.client(transport).OpenSession(open))
                    .hasMessageContaining("hive.server2.authentication=FILE: connect with SASL PLAIN");
            assertThat(server.sessions.all()).isEmpty();
        }
    }
}
