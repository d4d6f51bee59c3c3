package io.skep.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.testing.TestingKdc;
import io.skep.service.authentication.DelegationTokens;
import io.skep.service.session.ClientSession;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.security.auth.Subject;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins of the HTTP transport by Kerberos: SPNEGO, and Kerberos' own tokens as Hive's driver sends them. */
final class TestKerberosCalls {
    private static final String KERBEROS_5 = "1.2.840.113554.1.2.2";
    private static final String SPNEGO = "1.3.6.1.5.5.2";

    @TempDir
    private static Path folder;

    private static TestingKdc kdc;
    private static Subject ann;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        kdc = TestingKdc.start(folder);
        ann = kdc.login("ann");
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    private static GSSContext context(String service, String mechanism) throws Exception {
        GSSManager manager = GSSManager.getInstance();
        return TestingKdc.as(ann, () -> {
            GSSContext context = manager.createContext(
                    manager.createName(service + "@localhost", GSSName.NT_HOSTBASED_SERVICE),
                    new Oid(mechanism),
                    null,
                    GSSContext.DEFAULT_LIFETIME);
            context.requestMutualAuth(true);
            return context;
        });
    }

    private static byte[] token(GSSContext context, byte[] answer) throws Exception {
        return TestingKdc.as(ann, () -> context.initSecContext(answer, 0, answer.length));
    }

    private static String negotiate(byte[] token) {
        return "Negotiate " + Base64.getEncoder().encodeToString(token);
    }

    private HttpResponse<String> call(TestingHttpServer server, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.http.port() + "/cliservice"))
                .header("Content-Type", "application/x-thrift")
                .POST(HttpRequest.BodyPublishers.ofByteArray(TestingHttpServer.openSession()));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void clientsWithTicketsAreServed() throws Exception {
        for (String mechanism : List.of(SPNEGO, KERBEROS_5)) {
            try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
                GSSContext context = context("hive", mechanism);
                HttpResponse<String> answer = call(server, "Authorization", negotiate(token(context, new byte[0])));
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(server.sessions.all())
                        .extracting(ClientSession::user)
                        .containsExactly("ann");
                String proof = answer.headers().firstValue("WWW-Authenticate").orElseThrow();
                assertThat(proof).startsWith("Negotiate ");
                token(context, Base64.getDecoder().decode(proof.substring("Negotiate ".length())));
                assertThat(context.isEstablished())
                        .as("the server has proved who it is")
                        .isTrue();

                String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
                HttpResponse<String> again = call(server, "Cookie", cookie.substring(0, cookie.indexOf(';')));
                assertThat(again.statusCode()).isEqualTo(200);
                assertThat(again.headers().map()).doesNotContainKeys("set-cookie", "www-authenticate");
                assertThat(server.sessions.all())
                        .extracting(ClientSession::user)
                        .containsExactly("ann", "ann");
            }
        }
    }

    @Test
    void theServerMayHaveAFurtherName() throws Exception {
        Path keytab = kdc.keytab("http", "HTTP/localhost");
        try (TestingHttpServer server = new TestingHttpServer(kdc.server(
                "hive.server2.authentication.spnego.principal",
                "HTTP/localhost@EXAMPLE.ORG",
                "hive.server2.authentication.spnego.keytab",
                keytab.toString()))) {
            for (String service : List.of("HTTP", "hive")) {
                byte[] token = token(context(service, SPNEGO), new byte[0]);
                assertThat(call(server, "Authorization", negotiate(token)).statusCode())
                        .as(service)
                        .isEqualTo(200);
            }
        }
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            byte[] token = token(context("HTTP", SPNEGO), new byte[0]);
            refused(server, call(server, "Authorization", negotiate(token)));
        }
    }

    /** Hive's driver sends a delegation token with each request. It gets no cookie, which would outlive the token. */
    @Test
    void clientsWithDelegationTokensAreServed() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            DelegationTokens tokens =
                    server.services.authentication().delegationTokens().orElseThrow();
            String token = tokens.issue("ann", "", "ann");
            HttpResponse<String> answer = call(server, "X-Hive-Delegation-Token", token);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
            assertThat(server.sessions.all()).extracting(ClientSession::user).containsExactly("ann");
            assertThat(tokens.cancel(token, "ann")).isEqualTo("ann");
            String damaged = token.substring(0, 20) + (token.charAt(20) == 'A' ? 'B' : 'A') + token.substring(21);
            for (String refused : List.of(token, damaged, "", "x")) {
                assertThat(call(server, "X-Hive-Delegation-Token", refused).statusCode())
                        .as(refused)
                        .isEqualTo(401);
            }
            assertThat(server.sessions.all()).hasSize(1);
        }
    }

    private static void refused(TestingHttpServer server, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().allValues("WWW-Authenticate")).containsExactly("Negotiate");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        assertThat(answer.body())
                .contains("hive.server2.authentication=KERBEROS: connect with principal=" + TestingKdc.SERVER);
        assertThat(server.sessions.all()).isEmpty();
    }

    @Test
    void othersAreChallenged() throws Exception {
        kdc.keytab("stranger", "stranger/localhost");
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            refused(server, call(server));
            for (String header : List.of(
                    TestingHttpServer.basic("ann"),
                    "Negotiate",
                    "Negotiate ",
                    "Negotiate ????",
                    negotiate(new byte[0]),
                    negotiate(new byte[2000]),
                    negotiate(token(context("stranger", SPNEGO), new byte[0])))) {
                refused(server, call(server, "Authorization", header));
            }
        }
        try (TestingHttpServer server = new TestingHttpServer(Map.of())) {
            HttpResponse<String> answer =
                    call(server, "Authorization", negotiate(token(context("hive", SPNEGO), new byte[0])));
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate").orElse(""))
                    .startsWith("Basic ");
        }
    }

    /** Hive's driver takes the scheme for a part of the header's name. */
    @Test
    void headersOfHivesDriverAreUnderstood() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            String header = negotiate(token(context("hive", KERBEROS_5), new byte[0]));
            assertThat(call(server, "Authorization", header.replace(" ", " : ")).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void principalsWithoutAUserNameAreRefused() throws Exception {
        try (TestingHttpServer server =
                new TestingHttpServer(kdc.server("hadoop.security.auth_to_local", "RULE:[2:$1]"))) {
            refused(server, call(server, "Authorization", negotiate(token(context("hive", SPNEGO), new byte[0]))));
        }
    }

    @Test
    void aTokenIsGoodForOneLogin() throws Exception {
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            String header = negotiate(token(context("hive", SPNEGO), new byte[0]));
            assertThat(call(server, "Authorization", header).statusCode()).isEqualTo(200);
            assertThat(call(server, "Authorization", header).statusCode()).isEqualTo(401);
            assertThat(server.sessions.all()).hasSize(1);
        }
    }

    @Test
    void damagedTokensAreRefused() throws Exception {
        Random random = new Random(17);
        try (TestingHttpServer server = new TestingHttpServer(kdc.server())) {
            for (int i = 0; i < 100; i++) {
                byte[] bad = token(context("hive", i % 2 == 0 ? SPNEGO : KERBEROS_5), new byte[0]);
                int at = random.nextInt(bad.length);
                bad[at] ^= (byte) (1 + random.nextInt(255));
                if (i % 3 == 0) {
                    bad = Arrays.copyOf(bad, at);
                }
                HttpResponse<String> answer = call(server, "Authorization", negotiate(bad));
                assertThat(answer.statusCode()).as("%s: byte %s", i, at).isIn(200, 401);
                // A change of what is not signed is not noticed, but the user is the one of the ticket.
                server.sessions
                        .all()
                        .forEach(session -> assertThat(session.user()).isEqualTo("ann"));
            }
        }
    }
}
