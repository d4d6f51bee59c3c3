package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.common.testing.SelfSigned;
import io.skep.service.session.ClientSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCloseSessionReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementReq;
import org.apache.hive.service.rpc.thrift.TExecuteStatementResp;
import org.apache.hive.service.rpc.thrift.TFetchOrientation;
import org.apache.hive.service.rpc.thrift.TFetchResultsReq;
import org.apache.hive.service.rpc.thrift.TGetInfoReq;
import org.apache.hive.service.rpc.thrift.TGetInfoType;
import org.apache.hive.service.rpc.thrift.TOpenSessionReq;
import org.apache.hive.service.rpc.thrift.TProtocolVersion;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.THttpClient;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests calls, logins and cookies of the HTTP transport. */
@SuppressWarnings("NullAway") // any part of an answer may be absent; the test then fails
final class TestHttpCalls {
    private static final Pattern COOKIE = Pattern.compile("Set-Cookie: (hive\\.server2\\.auth=[^;\r]*)(.*)\r");

    private static String call(String... lines) throws Exception {
        byte[] body = TestingHttpServer.openSession();
        String[] all = java.util.Arrays.copyOf(lines, lines.length + 1);
        all[lines.length] = "Content-Length: " + body.length;
        return RawHttp.header(all) + new String(body, StandardCharsets.ISO_8859_1);
    }

    private static Matcher cookie(String answer) {
        Matcher cookie = COOKIE.matcher(answer);
        assertThat(cookie.find()).as(answer).isTrue();
        return cookie;
    }

    @Test
    void sessionsGoOverManyConnections() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            TSessionHandle session =
                    server.client("ann").OpenSession(TestingHttpServer.OPEN).getSessionHandle();
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann");
            TExecuteStatementResp run =
                    server.client("ann").ExecuteStatement(new TExecuteStatementReq(session, "rows 25000"));
            long rows = 0;
            boolean more = true;
            while (more) {
                var page = server.client("ann")
                        .FetchResults(
                                new TFetchResultsReq(run.getOperationHandle(), TFetchOrientation.FETCH_NEXT, 10_000));
                int count =
                        page.getResults().getColumns().getFirst().getI32Val().getValuesSize();
                rows += count;
                more = count > 0;
            }
            assertThat(rows).isEqualTo(25_000);
            server.client("ann").CloseSession(new TCloseSessionReq(session));
            assertThat(server.sessions.all()).isEmpty();
        }
    }

    /** Results by row belong to the session, whichever connection asks. */
    @Test
    void oldClientsGetRows() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            TSessionHandle session = server.client("ann")
                    .OpenSession(new TOpenSessionReq(TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V5))
                    .getSessionHandle();
            TExecuteStatementResp run =
                    server.client("ann").ExecuteStatement(new TExecuteStatementReq(session, "rows 3"));
            var page = server.client("ann")
                    .FetchResults(new TFetchResultsReq(run.getOperationHandle(), TFetchOrientation.FETCH_NEXT, 10));
            assertThat(page.getResults().getRows()).hasSize(3);
        }
    }

    @Test
    void passwordsAreVerifiedAndCookiesStandForThem(@TempDir Path folder) throws Exception {
        UserFile file = new UserFile(folder.resolve("users"));
        file.change(users -> users.put("ann", PasswordHash.of("secret")));
        file.change(users -> users.put("bob", PasswordHash.of("other")));
        Map<String, String> settings = Map.of(
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                folder.resolve("users").toString());
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            for (String user : List.of("bob", "nobody")) {
                assertThat(RawHttp.ask(server, call("Authorization: " + TestingHttpServer.basic(user))))
                        .startsWith("HTTP/1.1 401 ")
                        .contains("WWW-Authenticate: Basic ")
                        .doesNotContain("Set-Cookie");
            }
            assertThat(server.sessions.all()).isEmpty();
            String answer = RawHttp.ask(server, call("Authorization: " + TestingHttpServer.basic("ann")));
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            String nameless =
                    call("Authorization: Basic", "Cookie: " + cookie(answer).group(1));
            assertThat(RawHttp.ask(server, nameless)).startsWith("HTTP/1.1 200 ");
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann", "ann");
        }
    }

    /** Its client writes the whole body before it reads the answer. */
    @Test
    void aRefusedClientThatIsStillWritingReadsItsAnswer() throws Exception {
        String body = "x".repeat(60_000);
        try (TestingHttpServer server = new TestingHttpServer(Map.of());
                Socket socket = server.socket()) {
            RawHttp.send(socket, RawHttp.header("Authorization: Basic", "Content-Length: " + body.length()));
            assertThat(TestingHttpServer.comesTrue(() -> hasAnswer(socket)))
                    .as("the server does not wait for the body")
                    .isTrue();
            for (int at = 0; at < body.length(); at += 10_000) {
                RawHttp.send(socket, body.substring(at, at + 10_000));
            }
            assertThat(RawHttp.answer(socket)).startsWith("HTTP/1.1 401 ");
        }
    }

    private static boolean hasAnswer(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As gateways name their users, in any case of letters. */
    @Test
    void aRequestNamesTheUserAsWhomItActs() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            RawHttp.ask(server, call().replace("/cliservice", "/cliservice?doAs=alice"));
            RawHttp.ask(server, call().replace("/cliservice", "/cliservice?x=y&DOAS=bob"));
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactlyInAnyOrder("alice", "bob");
        }
        Map<String, String> without = Map.of("hive.server2.allow.user.substitution", "false");
        try (TestingHttpServer server = new TestingHttpServer(without)) {
            assertThat(RawHttp.ask(server, call().replace("/cliservice", "/cliservice?doAs=alice")))
                    .contains("Proxy user substitution is not allowed");
            assertThat(server.sessions.all()).isEmpty();
        }
    }

    @Test
    void handlesAreWorthNothingToOthers() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            TSessionHandle session =
                    server.client("ann").OpenSession(TestingHttpServer.OPEN).getSessionHandle();
            TGetInfoReq asked = new TGetInfoReq(session, TGetInfoType.CLI_DBMS_NAME);
            assertThat(server.client("ann").GetInfo(asked).getInfoValue().getStringValue())
                    .isEqualTo("Apache Hive");
            assertThat(server.client("bob").GetInfo(asked).getStatus().getStatusCode())
                    .isEqualTo(TStatusCode.ERROR_STATUS);
        }
    }

    @Test
    void onlyNamedClientsAreServedUnlessTheSiteSaysSo() throws Exception {
        byte[] body = TestingHttpServer.openSession();
        String nameless = "POST /cliservice HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-thrift\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n" + new String(body, StandardCharsets.ISO_8859_1);
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            assertThat(RawHttp.ask(server, nameless))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("WWW-Authenticate: Basic ")
                    .doesNotContain("Set-Cookie");
            assertThat(RawHttp.ask(server, call("Authorization: " + TestingHttpServer.basic("a\nb"))))
                    .startsWith("HTTP/1.1 401 ");
            assertThat(RawHttp.ask(server, call("Authorization: " + TestingHttpServer.basic("é".repeat(129)))))
                    .startsWith("HTTP/1.1 401 ");
            assertThat(server.sessions.all()).isEmpty();
        }
        try (TestingHttpServer server = new TestingHttpServer(Map.of("hive.server2.authentication", "NOSASL"))) {
            assertThat(RawHttp.ask(server, nameless)).startsWith("HTTP/1.1 200 ");
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("anonymous");
        }
    }

    @Test
    void aCookieStandsForTheLogin() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of());
                TestingHttpServer other = new TestingHttpServer(Map.of())) {
            String answer = RawHttp.ask(server, call());
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            Matcher cookie = cookie(answer);
            assertThat(cookie.group(2))
                    .contains("HttpOnly", "Max-Age=86400")
                    .doesNotContain("Secure", "Domain", "Expires");
            String again = RawHttp.ask(server, call("Authorization: none", "Cookie: a=b; " + cookie.group(1)));
            assertThat(again).startsWith("HTTP/1.1 200 ").doesNotContain("Set-Cookie");
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("mallory", "mallory");
            for (String bad : new String[] {
                cookie.group(1).replace("auth=", "auth=A"),
                cookie.group(1) + "A",
                "hive.server2.auth=",
                "hive.server2.auth",
                cookie.group(1).replace("hive.", "live.")
            }) {
                assertThat(RawHttp.ask(server, call("Authorization: none", "Cookie: " + bad)))
                        .as(bad)
                        .startsWith("HTTP/1.1 401 ");
            }
            assertThat(RawHttp.ask(other, call("Authorization: none", "Cookie: " + cookie.group(1))))
                    .as("another server")
                    .startsWith("HTTP/1.1 401 ");
            assertThat(RawHttp.ask(other, call("Cookie: " + cookie.group(1))))
                    .as("a new login")
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Set-Cookie");
        }
    }

    @Test
    void cookiesFollowTheSettings() throws Exception {
        Map<String, String> changed = Map.of(
                "hive.server2.thrift.http.cookie.max.age", "1ms",
                "hive.server2.thrift.http.cookie.domain", "example.org",
                "hive.server2.thrift.http.cookie.path", "/cliservice",
                "hive.server2.thrift.http.cookie.is.httponly", "false");
        try (TestingHttpServer server = new TestingHttpServer(changed)) {
            Matcher cookie = cookie(RawHttp.ask(server, call()));
            assertThat(cookie.group(2))
                    .contains("Domain=example.org", "Path=/cliservice")
                    .doesNotContain("HttpOnly");
            assertThat(TestingHttpServer.comesTrue(() -> isRefused(server, cookie.group(1))))
                    .as("it expires")
                    .isTrue();
        }
        try (TestingHttpServer server =
                new TestingHttpServer(Map.of("hive.server2.thrift.http.cookie.auth.enabled", "false"))) {
            assertThat(RawHttp.ask(server, call())).doesNotContain("Set-Cookie");
        }
    }

    private static boolean isRefused(TestingHttpServer server, String cookie) {
        try {
            return RawHttp.ask(server, call("Authorization: none", "Cookie: " + cookie))
                    .startsWith("HTTP/1.1 401 ");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatIsNoCallIsRefused() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            assertThat(RawHttp.ask(server, "GET /cliservice HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("Allow: POST");
            assertThat(RawHttp.ask(server, "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ");
            assertThat(RawHttp.ask(server, call().replace("/cliservice", "/cliservice/../x")))
                    .matches("(?s)HTTP/1.1 40[04] .*");
            assertThat(RawHttp.ask(server, call("Content-Type: text/plain"))).startsWith("HTTP/1.1 415 ");
            assertThat(RawHttp.ask(server, call("Content-Encoding: gzip"))).startsWith("HTTP/1.1 415 ");
            assertThat(RawHttp.ask(server, call("Origin: http://example.org"))).startsWith("HTTP/1.1 403 ");
            assertThat(RawHttp.ask(server, call("Sec-Fetch-Site: same-origin"))).startsWith("HTTP/1.1 403 ");
            assertThat(server.sessions.all()).isEmpty();
            assertThat(RawHttp.ask(server, call().replace("/cliservice", "/cliservice/")))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void headersAgainstForgedRequestsAreRequiredWhereTheSiteWantsThem() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(
                Map.of("hive.server2.xsrf.filter.enabled", "true", "hive.server2.csrf.filter.enabled", "true"))) {
            assertThat(RawHttp.ask(server, call())).startsWith("HTTP/1.1 403 ");
            assertThat(RawHttp.ask(server, call("X-XSRF-HEADER: true"))).startsWith("HTTP/1.1 403 ");
            assertThat(RawHttp.ask(server, call("X-XSRF-HEADER: true", "X-CSRF-TOKEN: x")))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void pathAndPortAreThoseOfTheSettings() throws Exception {
        for (String path : new String[] {"a/b", "/a/b", "a/b/", "/a/b/*"}) {
            try (TestingHttpServer server = new TestingHttpServer(Map.of("hive.server2.thrift.http.path", path))) {
                THttpClient transport = new THttpClient("http://127.0.0.1:" + server.http.port() + "/a/b");
                transport.setCustomHeader("Authorization", TestingHttpServer.basic("ann"));
                assertThat(new TCLIService.Client(new TBinaryProtocol(transport))
                                .OpenSession(TestingHttpServer.OPEN).getSessionHandle())
                        .isNotNull();
                assertThatThrownBy(() -> server.client("ann").OpenSession(TestingHttpServer.OPEN))
                        .isInstanceOf(TTransportException.class)
                        .hasMessageContaining("404");
            }
        }
    }

    @Test
    void encryptedRequests(@TempDir Path folder) throws Exception {
        SelfSigned own = SelfSigned.make(folder.resolve("own.p12"));
        Map<String, String> settings = Map.of(
                "hive.server2.use.SSL", "true",
                "hive.server2.keystore.path", own.file().toString(),
                "hive.server2.keystore.password", SelfSigned.PASSWORD,
                "hive.ssl.protocol.blacklist", "TLSv1.3",
                "hive.server2.http.exclude.ciphersuites", ".*_256_.*");
        try (TestingHttpServer server = new TestingHttpServer(settings)) {
            try (SSLSocket socket =
                    (SSLSocket) own.trustedBy().getSocketFactory().createSocket("127.0.0.1", server.http.port())) {
                socket.setSoTimeout(20_000);
                RawHttp.send(socket, call());
                String answer = RawHttp.answer(socket);
                assertThat(answer).startsWith("HTTP/1.1 200 ");
                assertThat(cookie(answer).group(2)).contains("; Secure");
                assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
                assertThat(socket.getSession().getCipherSuite()).contains("_128_");
            }
            assertThatThrownBy(() -> RawHttp.ask(server, call())).isInstanceOf(IOException.class);
        }
    }

    /** The idle timeout is for connections without a request. */
    @Test
    void longCallsAreNotIdle() throws Exception {
        try (TestingHttpServer server =
                        new TestingHttpServer(Map.of("hive.server2.thrift.http.max.idle.time", "300ms"));
                Socket idle = server.socket()) {
            TCLIService.Client client = server.client("ann");
            TSessionHandle session = client.OpenSession(TestingHttpServer.OPEN).getSessionHandle();
            TExecuteStatementReq slow = new TExecuteStatementReq(session, "wait");
            slow.setQueryTimeout(2);
            assertThat(client.ExecuteStatement(slow).getStatus().getErrorMessage())
                    .contains("ran longer");
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            client.CloseSession(new TCloseSessionReq(session));
        }
    }

    @Test
    void theServerAnswersItself() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            server.http.awaitAnswer(Duration.ofSeconds(20));
            server.http.close();
            assertThatThrownBy(() -> server.http.awaitAnswer(Duration.ofSeconds(20)))
                    .isInstanceOf(IOException.class);
        }
    }
}
