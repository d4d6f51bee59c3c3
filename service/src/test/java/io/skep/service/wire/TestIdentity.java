package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.service.session.ClientSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelOperationReq;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TOpenSessionResp;
import org.apache.hive.service.rpc.thrift.TOperationHandle;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TRowSet;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the identity of clients, the ownership of sessions, and the limits on the number of sessions. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestIdentity {
    private static final Map<String, String> SASL = Map.of("hive.server2.authentication", "NONE");

    private static final String PROXY_USER = "hive.server2.proxy.user";

    private static TOpenSessionReq open() {
        return new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10);
    }

    private static String error(TOpenSessionResp response) {
        assertThat(response.getStatus().getStatusCode()).isEqualTo(TStatusCode.ERROR_STATUS);
        return response.getStatus().getErrorMessage();
    }

    @Test
    void theNameOfTheLoginIsTheUser() throws Exception {
        try (TestingServer server = new TestingServer(SASL);
                TTransport transport = server.login("mallory")) {
            TOpenSessionReq request = open();
            request.setUsername("root");
            TestingServer.client(transport).OpenSession(request);
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("mallory");
        }
        try (TestingServer server = new TestingServer(Map.of());
                TTransport transport = server.connect()) {
            TOpenSessionReq request = open();
            TestingServer.client(transport).OpenSession(request);
            request.setUsername("ann");
            TestingServer.client(transport).OpenSession(request);
            assertThat(server.sessions.all()).extracting(ClientSession::user).contains("ann", "anonymous");
            request.setUsername("ann\nroot");
            assertThat(error(TestingServer.client(transport).OpenSession(request)))
                    .contains("control characters");
            request.setUsername("é".repeat(129));
            assertThat(error(TestingServer.client(transport).OpenSession(request)))
                    .contains("256 bytes");
        }
    }

    @Test
    void loginsUnderOtherOrBadNamesAreRefused() throws Exception {
        try (TestingServer server = new TestingServer(SASL)) {
            new SaslClient(server.connect(), "ann\0ann\0x").close();
            for (Map.Entry<String, String> bad : Map.of(
                            "root\0ann\0x",
                            "cannot act as another",
                            "\0\0x",
                            "No user name provided",
                            "\0ann\nroot\0x",
                            "control characters",
                            "\0" + "a".repeat(257) + "\0x",
                            "256 bytes")
                    .entrySet()) {
                try (TTransport transport = server.connect()) {
                    assertThatThrownBy(() -> new SaslClient(transport, bad.getKey()))
                            .hasMessageContaining(bad.getValue());
                }
            }
        }
    }

    private static TOpenSessionReq openAs(String setting, String user) {
        TOpenSessionReq request = open();
        request.setConfiguration(Map.of(setting, user));
        return request;
    }

    /** Where names are not verified, everyone can log in as anyone anyway. */
    @Test
    void anyoneActsAsAnyoneWhereNamesAreNotVerified() throws Exception {
        try (TestingServer server = new TestingServer(SASL);
                TTransport transport = server.login("hue")) {
            for (String name : new String[] {PROXY_USER, "set:hiveconf:" + PROXY_USER}) {
                TestingServer.client(transport).OpenSession(openAs(name, "alice"));
            }
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("alice", "alice");
            assertThat(error(TestingServer.client(transport).OpenSession(openAs(PROXY_USER, "a\nb"))))
                    .contains("control characters");
        }
        Map<String, String> without =
                Map.of("hive.server2.authentication", "NONE", "hive.server2.allow.user.substitution", "false");
        try (TestingServer server = new TestingServer(without);
                TTransport transport = server.login("hue")) {
            assertThat(error(TestingServer.client(transport).OpenSession(openAs(PROXY_USER, "alice"))))
                    .contains("Proxy user substitution is not allowed");
            assertThat(server.sessions.all()).isEmpty();
        }
    }

    @Test
    void whoMayActAsWhomIsHadoopsRule(@TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        for (String name : new String[] {"hue", "eve", "far"}) {
            new UserFile(users).change(file -> file.put(name, PasswordHash.of("secret")));
        }
        Map<String, String> settings = new HashMap<>(
                Map.of("hive.server2.authentication", "FILE", "skep.authentication.user-file", users.toString()));
        settings.put("hadoop.proxyuser.hue.hosts", "127.0.0.1");
        settings.put("hadoop.proxyuser.hue.users", "alice,bob");
        settings.put("hadoop.proxyuser.far.hosts", "10.1.2.3");
        settings.put("hadoop.proxyuser.far.users", "*");
        try (TestingServer server = new TestingServer(settings)) {
            assertThat(actAs(server, "hue", "alice")).isEqualTo("alice");
            assertThat(actAs(server, "hue", "hue")).isEqualTo("hue");
            assertThat(actAs(server, "hue", "root")).contains("Failed to validate proxy privilege of hue for root");
            assertThat(actAs(server, "eve", "alice")).contains("Failed to validate proxy privilege of eve for alice");
            assertThat(actAs(server, "far", "alice")).contains("Failed to validate proxy privilege of far for alice");
            assertThat(actAs(server, "alice", "alice")).contains("Error validating the login");
        }
    }

    /** Returns the user of a session that a client opens, or the error. */
    private static String actAs(TestingServer server, String login, String user) throws Exception {
        try (TTransport transport = server.login(login)) {
            TOpenSessionResp response = TestingServer.client(transport).OpenSession(openAs(PROXY_USER, user));
            if (response.getStatus().getStatusCode() == TStatusCode.ERROR_STATUS) {
                return error(response);
            }
            return server.sessions
                    .get(
                            Handles.id(response.getSessionHandle().getSessionId()),
                            Handles.secret(response.getSessionHandle().getSessionId()),
                            Optional.of(login))
                    .user();
        } catch (TTransportException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A session is its login's: the user as whom it acts may come through others. */
    @Test
    void aSessionBelongsToTheUserThatHasLoggedIn() throws Exception {
        try (TestingServer server = new TestingServer(SASL);
                TTransport hue = server.login("hue");
                TTransport alice = server.login("alice")) {
            TSessionHandle session = TestingServer.client(hue)
                    .OpenSession(openAs(PROXY_USER, "alice"))
                    .getSessionHandle();
            TExecuteStatementReq rows = new TExecuteStatementReq(session, "rows 5");
            assertThat(TestingServer.client(alice)
                            .ExecuteStatement(rows)
                            .getStatus()
                            .getErrorMessage())
                    .contains("Invalid SessionHandle");
            assertThat(TestingServer.client(hue).ExecuteStatement(rows).getOperationHandle())
                    .isNotNull();
        }
    }

    @Test
    void aHandleIsOfNoUseToAnotherUser() throws Exception {
        try (TestingServer server = new TestingServer(SASL);
                TTransport hers = server.login("alice");
                TTransport alsoHers = server.login("alice");
                TTransport his = server.login("bob")) {
            TSessionHandle session =
                    TestingServer.client(hers).OpenSession(open()).getSessionHandle();
            TCLIService.Client bob = TestingServer.client(his);
            TOperationHandle rows = TestingServer.client(alsoHers)
                    .ExecuteStatement(new TExecuteStatementReq(session, "rows 5"))
                    .getOperationHandle();
            assertThat(rows).isNotNull();
            assertThat(bob.ExecuteStatement(new TExecuteStatementReq(session, "rows 5"))
                            .getStatus()
                            .getErrorMessage())
                    .contains("Invalid SessionHandle");
            assertThat(bob.FetchResults(new TFetchResultsReq(rows, TFetchOrientation.FETCH_NEXT, 5))
                            .getStatus()
                            .getErrorMessage())
                    .contains("Invalid OperationHandle");
            assertThat(bob.CancelOperation(new TCancelOperationReq(rows))
                            .getStatus()
                            .getStatusCode())
                    .isEqualTo(TStatusCode.ERROR_STATUS);
            assertThat(bob.CloseSession(new TCloseSessionReq(session))
                            .getStatus()
                            .getStatusCode())
                    .isEqualTo(TStatusCode.ERROR_STATUS);
            assertThat(server.sessions.all()).hasSize(1);
        }
    }

    @Test
    void theFormOfRowsIsTheSessionsNotTheConnections() throws Exception {
        try (TestingServer server = new TestingServer(Map.of());
                TTransport transport = server.connect()) {
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle old = client.OpenSession(new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V5))
                    .getSessionHandle();
            TSessionHandle young = client.OpenSession(open()).getSessionHandle();
            assertThat(rows(client, old).getRows()).hasSize(5);
            TRowSet columns = rows(client, young);
            assertThat(columns.getRows()).isEmpty();
            assertThat(columns.getColumns()).hasSize(1);
        }
    }

    private static TRowSet rows(TCLIService.Client client, TSessionHandle session) throws TException {
        TOperationHandle rows = client.ExecuteStatement(new TExecuteStatementReq(session, "rows 5"))
                .getOperationHandle();
        return client.FetchResults(new TFetchResultsReq(rows, TFetchOrientation.FETCH_NEXT, 10))
                .getResults();
    }

    @Test
    void sessionsAreLimitedInHivesWords() throws Exception {
        limited("hive.server2.limit.connections.per.user", "Connection limit per user reached (user: ann limit: 2)");
        limited(
                "hive.server2.limit.connections.per.ipaddress",
                "Connection limit per ipaddress reached (ipaddress: 127.0.0.1 limit: 2)");
        limited(
                "hive.server2.limit.connections.per.user.ipaddress",
                "Connection limit per user:ipaddress reached (user:ipaddress: ann:127.0.0.1 limit: 2)");
        limited("skep.session.max-sessions", "skep.session.max-sessions");
        limited("skep.thrift.max-sessions-per-connection", "skep.thrift.max-sessions-per-connection");
    }

    private static void limited(String setting, String words) throws Exception {
        try (TestingServer server = new TestingServer(Map.of("hive.server2.authentication", "NONE", setting, "2"));
                TTransport transport = server.login("ann")) {
            TCLIService.Client client = TestingServer.client(transport);
            TSessionHandle first = client.OpenSession(open()).getSessionHandle();
            assertThat(client.OpenSession(open()).getSessionHandle()).isNotNull();
            assertThat(error(client.OpenSession(open()))).contains(words);
            assertThat(server.sessions.all()).hasSize(2);
            client.CloseSession(new TCloseSessionReq(first));
            assertThat(client.OpenSession(open()).getSessionHandle())
                    .as("one that was closed makes room")
                    .isNotNull();
        }
    }
}
