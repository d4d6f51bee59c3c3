package io.skep.llap.server.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.authentication.testing.TestingKdc;
import io.skep.authentication.testing.TestingTokens;
import io.skep.common.error.SkepException;
import io.skep.common.testing.ExampleDirectory;
import io.skep.common.testing.SelfSigned;
import io.skep.common.testing.SlapdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests who gets to see the web pages and the metrics of a daemon in a process of its own. */
@Timeout(120)
final class TestDaemonPages {
    private static final List<String> PATHS = List.of(
            "",
            "index.html",
            "page.css",
            "page.js",
            "icon.svg",
            "api/overview",
            "api/sessions",
            "api/queries",
            "api/queries/x",
            "api/figures",
            "api/settings",
            "nothing");
    private static final String SECRET = "pl4nted-S3CRET";
    private static final String SPNEGO = "1.3.6.1.5.5.2";

    @TempDir
    private Path folder;

    private final HttpClient plain = HttpClient.newHttpClient();

    private DaemonProcess daemon(Map<String, String> site) {
        Map<String, String> all = new HashMap<>(Map.of(
                "hive.llap.daemon.rpc.port", "0",
                "hive.llap.daemon.web.port", "0",
                "hive.llap.daemon.num.executors", "2",
                "skep.llap.max-memory", "16mb",
                "hive.llap.io.memory.size", "16mb"));
        all.putAll(site);
        return DaemonProcess.start(new DaemonOptions(folder.resolve("data"), all));
    }

    /** Returns settings with a file of the users ann and bob. */
    private Map<String, String> users(String... more) throws IOException {
        Path users = folder.resolve("users");
        for (String name : List.of("ann", "bob")) {
            new UserFile(users).change(file -> file.put(name, PasswordHash.of("secret")));
        }
        Map<String, String> settings = new HashMap<>(
                Map.of("hive.server2.authentication", "FILE", "skep.authentication.user-file", users.toString()));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    }

    private HttpResponse<String> get(DaemonProcess daemon, String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(daemon.uiUrl() + path)).timeout(Duration.ofSeconds(60));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return plain.send(request.build(), BodyHandlers.ofString());
    }

    private int status(DaemonProcess daemon, String authorization) throws Exception {
        return get(daemon, "api/figures", "Authorization", authorization).statusCode();
    }

    @Test
    void nothingIsServedWithoutALogin() throws Exception {
        try (DaemonProcess daemon = daemon(users())) {
            for (String path : PATHS) {
                HttpResponse<String> refused = get(daemon, path);
                assertThat(refused.statusCode()).as(path).isEqualTo(401);
                assertThat(refused.headers().firstValue("WWW-Authenticate"))
                        .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic realm="));
                assertThat(refused.body()).doesNotContain("Skep", "hive.llap", "llap://");
            }
            for (String header : List.of(
                    basic("ann", "wrong"),
                    basic("nobody", "secret"),
                    basic("ann", ""),
                    "Basic ????",
                    "Bearer secret",
                    "Negotiate c2VjcmV0")) {
                assertThat(status(daemon, header)).as(header).isEqualTo(401);
            }
            assertThat(get(daemon, "api/figures", "Cookie", "skep.pages=abc.def")
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aUserOfTheFileSeesPagesAndMetrics() throws Exception {
        try (DaemonProcess daemon = daemon(users())) {
            for (String path : PATHS) {
                int expected = path.equals("nothing") || path.equals("api/queries/x") ? 404 : 200;
                assertThat(get(daemon, path, "Authorization", basic("ann", "secret"))
                                .statusCode())
                        .as(path)
                        .isEqualTo(expected);
            }
            HttpResponse<String> page = get(daemon, "", "Authorization", basic("ann", "secret"));
            String cookie = page.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; HttpOnly; SameSite=Strict");
            HttpResponse<String> metrics =
                    get(daemon, "api/figures", "Cookie", cookie.substring(0, cookie.indexOf(';')));
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.body()).contains("servers and daemons");
        }
    }

    /** A daemon knows no roles of the metastore, so its admins are those of the settings. */
    @Test
    void onlyAdminsSeeThemWhereStatementsAreAuthorized() throws Exception {
        Map<String, String> site = users(
                "hive.security.authorization.enabled", "true",
                "hive.users.in.admin.role", "ann,ops");
        try (DaemonProcess daemon = daemon(site)) {
            assertThat(status(daemon, basic("ann", "secret"))).isEqualTo(200);
            assertThat(status(daemon, basic("bob", "secret"))).isEqualTo(403);
            assertThat(status(daemon, basic("bob", SECRET))).isEqualTo(401);
            assertThat(get(daemon, "api/figures").statusCode()).isEqualTo(401);
        }
        List<String> log = Files.readAllLines(folder.resolve("data/audit/audit.log"));
        assertThat(log).hasSize(3);
        assertThat(log)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"event\":\"LOGIN\"", "\"transport\":\"WEB_PAGES\"", "\"address\":\"127.0.0.1\"")
                        .doesNotContain("secret", SECRET));
        assertThat(log.get(0)).contains("\"login\":\"ann\"", "\"decision\":\"ALLOWED\"");
        assertThat(log.get(1)).contains("\"login\":\"bob\"", "\"decision\":\"DENIED\"");
        assertThat(log.get(2)).contains("\"login\":\"bob\"", "\"decision\":\"DENIED\"");
    }

    @Test
    void aUserOfADirectoryLogsIn() throws Exception {
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        try (SlapdServer slapd = SlapdServer.start(
                        Files.createDirectory(folder.resolve("slapd")),
                        ExampleDirectory.SUFFIX,
                        ExampleDirectory.entries("ldap://127.0.0.1:1/dc=elsewhere"));
                DaemonProcess daemon = daemon(Map.of(
                        "hive.server2.authentication",
                        "LDAP",
                        "hive.server2.authentication.ldap.url",
                        slapd.url(),
                        "hive.server2.authentication.ldap.baseDN",
                        ExampleDirectory.PEOPLE))) {
            assertThat(status(daemon, basic("ann", "pw-ann"))).isEqualTo(200);
            assertThat(status(daemon, basic("ann", "pw-bob"))).isEqualTo(401);
            assertThat(status(daemon, basic("ann", ""))).isEqualTo(401);
            slapd.stop();
            assertThat(status(daemon, basic("ann", "pw-ann"))).isEqualTo(401);
        }
    }

    @Test
    void aTicketIsALogin() throws Exception {
        try (TestingKdc kdc = TestingKdc.start(Files.createDirectory(folder.resolve("kdc")))) {
            Subject ann = kdc.login("ann");
            Path keytab = kdc.keytab("http", "HTTP/localhost");
            Map<String, String> own = Map.of(
                    "hive.server2.authentication",
                    "KERBEROS",
                    "hive.llap.webui.spnego.principal",
                    "HTTP/localhost@" + TestingKdc.REALM,
                    "hive.llap.webui.spnego.keytab",
                    keytab.toString());
            try (DaemonProcess daemon = daemon(own)) {
                HttpResponse<String> challenged = get(daemon, "api/figures");
                assertThat(challenged.statusCode()).isEqualTo(401);
                assertThat(challenged.headers().allValues("WWW-Authenticate")).containsExactly("Negotiate");
                String header = negotiate(ann, "HTTP");
                HttpResponse<String> page = get(daemon, "api/figures", "Authorization", header);
                assertThat(page.statusCode()).isEqualTo(200);
                assertThat(page.headers().firstValue("WWW-Authenticate"))
                        .hasValueSatisfying(proof -> assertThat(proof).startsWith("Negotiate "));
                assertThat(status(daemon, header))
                        .as("a token is good for one login")
                        .isEqualTo(401);
                assertThat(status(daemon, basic("ann", "secret"))).isEqualTo(401);
            }
            try (DaemonProcess daemon = daemon(kdc.server())) {
                assertThat(status(daemon, negotiate(ann, "hive")))
                        .as("with the name of the site's servers")
                        .isEqualTo(200);
                assertThat(status(daemon, negotiate(ann, "HTTP"))).isEqualTo(401);
            }
        }
    }

    private static String negotiate(Subject client, String service) throws Exception {
        GSSManager manager = GSSManager.getInstance();
        byte[] token = TestingKdc.as(client, () -> {
            GSSContext context = manager.createContext(
                    manager.createName(service + "@localhost", GSSName.NT_HOSTBASED_SERVICE),
                    new Oid(SPNEGO),
                    null,
                    GSSContext.DEFAULT_LIFETIME);
            context.requestMutualAuth(true);
            return context.initSecContext(new byte[0], 0, 0);
        });
        return "Negotiate " + Base64.getEncoder().encodeToString(token);
    }

    @Test
    void aSignedTokenIsALogin() throws Exception {
        TestingTokens issuer = new TestingTokens();
        Path keys = Files.writeString(folder.resolve("keys.json"), issuer.publicKeys());
        try (DaemonProcess daemon = daemon(Map.of(
                "hive.server2.authentication",
                "JWT",
                "hive.server2.authentication.jwt.jwks.url",
                keys.toUri().toString()))) {
            assertThat(status(daemon, "Bearer " + issuer.token("ann", Duration.ofMinutes(5))))
                    .isEqualTo(200);
            assertThat(status(daemon, "Bearer " + issuer.token("ann", Duration.ofMinutes(-5))))
                    .isEqualTo(401);
            assertThat(status(daemon, "Bearer " + new TestingTokens().token("ann", Duration.ofMinutes(5))))
                    .isEqualTo(401);
        }
    }

    @Test
    void pagesAreEncryptedWhereTheSiteSaysSo() throws Exception {
        SelfSigned key = SelfSigned.make(folder.resolve("pages.p12"));
        Map<String, String> site = users(
                "hive.llap.daemon.web.ssl",
                "true",
                "hive.server2.webui.keystore.path",
                key.file().toString(),
                "hive.server2.webui.keystore.password",
                SelfSigned.PASSWORD);
        try (DaemonProcess daemon = daemon(site);
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(key.trustedBy()).build()) {
            URI figures = URI.create(daemon.uiUrl() + "api/settings");
            assertThat(figures.getScheme()).isEqualTo("https");
            HttpRequest request = HttpRequest.newBuilder(figures)
                    .header("Authorization", basic("ann", "secret"))
                    .build();
            HttpResponse<String> answer = trusting.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .contains("hive.server2.webui.keystore.path")
                    .doesNotContain(SelfSigned.PASSWORD);
            HttpRequest open = HttpRequest.newBuilder(URI.create("http://localhost:" + figures.getPort() + "/"))
                    .build();
            assertThatThrownBy(() -> plain.send(open, BodyHandlers.ofString())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void pagesDoNotTellSecrets() throws Exception {
        Map<String, String> site = users(
                "hive.server2.webui.keystore.password", SECRET,
                "hive.server2.keystore.password", SECRET,
                "hive.server2.authentication.ldap.bindpw", SECRET,
                "hive.conf.hidden.list", "hive.server2.authentication.ldap.baseDN",
                "hive.server2.authentication.ldap.baseDN", "dc=" + SECRET,
                "fs.s3a.secret.key", SECRET);
        try (DaemonProcess daemon = daemon(site)) {
            for (String path : PATHS) {
                assertThat(get(daemon, path, "Authorization", basic("ann", "secret"))
                                .body())
                        .as(path)
                        .doesNotContain(SECRET);
            }
            assertThat(get(daemon, "api/settings", "Authorization", basic("ann", "secret"))
                            .body())
                    .contains("hive.server2.authentication.ldap.bindpw", "(hidden)");
        }
    }

    /** Clients that send nothing, too much, or nonsense hold at most their connection. Others are served meanwhile. */
    @Test
    void hostileClientsKeepNobodyWaiting() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (DaemonProcess daemon = daemon(users())) {
            int port = URI.create(daemon.uiUrl()).getPort();
            for (int i = 0; i < 200; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
                silent.getLast().getOutputStream().write("GET / HTTP/1.1\r\nAuthorization: Basic".getBytes(ISO_8859_1));
            }
            assertThat(answer(port, "GET / HTTP/1.1\r\nAuthorization: Basic " + "A".repeat(1 << 20)))
                    .matches("(?s)(HTTP/1\\.1 431 .*)?");
            assertThat(answer(port, "\0".repeat(1000))).matches("(?s)(HTTP/1\\.1 400 .*)?");
            String login = "Authorization: " + basic("ann", "secret") + "\r\nConnection: close\r\n\r\n";
            assertThat(answer(port, "POST /api/figures HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n" + login))
                    .startsWith("HTTP/1.1 405 ");
            assertThat(answer(port, "GET /api/figures HTTP/1.1\r\nHost: attacker.example\r\n" + login))
                    .startsWith("HTTP/1.1 421 ");
            for (int i = 0; i < 100; i++) {
                assertThat(status(daemon, "Negotiate " + "A".repeat(i))).isEqualTo(401);
            }
            assertThat(status(daemon, basic("ann", "secret"))).isEqualTo(200);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** Returns the answer to bytes; empty when the connection is cut off first. */
    private static String answer(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            try {
                socket.getOutputStream().write(request.getBytes(ISO_8859_1));
                return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            } catch (IOException e) {
                return "";
            }
        }
    }

    @Test
    void whatALoginNeedsIsReadAtTheStart() {
        Map<String, String> missing = Map.of(
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                folder.resolve("nowhere").toString());
        assertThatThrownBy(() -> daemon(missing))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(folder.resolve("nowhere").toString());
    }

    @Test
    void pagesOfASiteThatVerifiesNobodyAreOpen() throws Exception {
        try (DaemonProcess daemon = daemon(Map.of())) {
            assertThat(get(daemon, "api/figures").statusCode()).isEqualTo(200);
        }
    }
}
