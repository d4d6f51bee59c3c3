package io.skep.itests.server;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.skep.common.testing.Polling;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of a server with authorization, whose clients have the released driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestAuditLog {
    private static final int CLIENTS = 64;
    private static final int STATEMENTS = 40;
    private static final String PASSWORD = "pl4nted";

    private AuthorizedServer site;
    private SkepServer server;
    private Path audit;
    private Connection root;
    private Connection ann;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        audit = folder.resolve("data").resolve("audit");
        site = AuthorizedServer.start(
                folder,
                List.of("root", "ann", "gate"),
                PASSWORD,
                Map.of(
                        "hive.server2.transport.mode",
                        "all",
                        "hive.server2.thrift.http.port",
                        "0",
                        "hadoop.proxyuser.gate.hosts",
                        "*",
                        "hadoop.proxyuser.gate.users",
                        "ann",
                        "skep.audit.statement-text",
                        "redacted",
                        "skep.audit.max-file-size",
                        "1mb"));
        server = site.server();
        root = connect("root", "");
        ann = connect("ann", "");
        run(root, "set role admin");
        run(root, "create table t (a int, b string)");
        run(root, "insert into t values (1, 'x')");
        run(root, "create table u (a int, b string, c int)");
        run(root, "grant select (a, b) on table u to user ann");
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        ann.close();
        site.close();
    }

    private Connection connect(String user, String more) throws SQLException {
        return site.connect(server.jdbcUrl() + more, user);
    }

    private String httpUrl(String more) {
        return "jdbc:hive2://127.0.0.1:" + server.httpPort().orElseThrow()
                + "/default;transportMode=http;httpPath=cliservice" + more;
    }

    private static String text(JsonNode line, String field) {
        return line.path(field).asText("");
    }

    @Test
    void saysWhoHasReadWhat() throws Exception {
        run(ann, "select a from u where b = 'x'");
        JsonNode line = AuditLines.last(audit);
        assertThat(line.fieldNames())
                .toIterable()
                .containsExactly(
                        "time",
                        "event",
                        "server",
                        "session",
                        "transport",
                        "address",
                        "login",
                        "user",
                        "query",
                        "operation",
                        "authorization",
                        "decision",
                        "objects",
                        "text");
        assertThat(text(line, "event")).isEqualTo("STATEMENT");
        assertThat(text(line, "user")).isEqualTo("ann");
        assertThat(text(line, "login")).isEqualTo("ann");
        assertThat(text(line, "transport")).isEqualTo("BINARY");
        assertThat(text(line, "address")).isEqualTo("127.0.0.1");
        assertThat(text(line, "operation")).isEqualTo("QUERY");
        assertThat(text(line, "decision")).isEqualTo("ALLOWED");
        assertThat(line.get("authorization").booleanValue()).isTrue();
        assertThat(line.get("objects"))
                .hasToString("[{\"type\":\"TABLE_OR_VIEW\",\"name\":\"default.u\",\"columns\":[\"a\",\"b\"],"
                        + "\"privileges\":[\"SELECT\"]}]");
    }

    @Test
    void saysWhyStatementsAreRefused() throws Exception {
        assertThatThrownBy(() -> run(ann, "select * from t")).isInstanceOf(SQLException.class);
        JsonNode denied = AuditLines.last(audit);
        assertThat(text(denied, "decision")).isEqualTo("DENIED");
        assertThat(text(denied.get("error"), "code")).isEqualTo("ACCESS_DENIED");
        assertThat(text(denied.get("error"), "message")).contains("[name=ann, type=USER]", "default.t");
        assertThat(denied.get("objects").toString()).contains("default.t", "[\"a\",\"b\"]");
        assertThatThrownBy(() -> run(ann, "selec 1")).isInstanceOf(SQLException.class);
        JsonNode wrong = AuditLines.last(audit);
        assertThat(text(wrong, "decision")).isEqualTo("FAILED");
        assertThat(text(wrong.get("error"), "code")).isEqualTo("SYNTAX_ERROR");
        assertThat(wrong.has("operation")).isFalse();
        assertThat(wrong.has("query")).isTrue();
        assertThatThrownBy(() -> run(ann, "explain select * from t")).isInstanceOf(SQLException.class);
        assertThat(text(AuditLines.last(audit), "decision")).isEqualTo("DENIED");
        run(ann, "explain select a from u");
        assertThat(AuditLines.last(audit).get("objects").toString()).contains("default.u");
    }

    /** Some statements check while they run what a user may do. */
    @Test
    void hasDenialsOfStatementsThatRun() throws Exception {
        assertThatThrownBy(() -> run(ann, "grant select on table t to user ann"))
                .isInstanceOf(SQLException.class);
        awaitDenial();
        List<JsonNode> lines = AuditLines.of(audit);
        JsonNode denial = lines.getLast();
        JsonNode statement = lines.get(lines.size() - 2);
        assertThat(text(denial, "event")).isEqualTo("DENIAL");
        assertThat(text(denial, "decision")).isEqualTo("DENIED");
        assertThat(text(statement, "event")).isEqualTo("STATEMENT");
        assertThat(text(statement, "operation")).isEqualTo("GRANT_PRIVILEGE");
        assertThat(text(denial, "query")).isNotEmpty().isEqualTo(text(statement, "query"));
        assertThatThrownBy(() -> run(ann, "set hive.users.in.admin.role=ann")).isInstanceOf(SQLException.class);
        awaitDenial();
    }

    /** The line about a denial of a running statement may come when the client has its error already. */
    private void awaitDenial() {
        Polling.await("the line about the denial")
                .until(() -> text(AuditLines.last(audit), "event").equals("DENIAL"));
    }

    @Test
    void hasMetadataCalls() throws Exception {
        try (ResultSet _ = ann.getMetaData().getColumns(null, "default", "u", "%")) {
            JsonNode line = AuditLines.last(audit);
            assertThat(text(line, "event")).isEqualTo("METADATA");
            assertThat(text(line, "operation")).isEqualTo("GET_COLUMNS");
            assertThat(text(line, "user")).isEqualTo("ann");
            assertThat(text(line, "decision")).isEqualTo("ALLOWED");
            assertThat(line.get("arguments")).hasToString("{\"column\":\"%\",\"schema\":\"default\",\"table\":\"u\"}");
        }
        try (ResultSet _ = ann.getMetaData().getTables(null, null, "%", null)) {
            assertThat(text(AuditLines.last(audit), "operation")).isEqualTo("GET_TABLES");
        }
    }

    @Test
    void hasSessionsAndRefusedLogins() throws Exception {
        try (Connection gate = connect("gate", ";hive.server2.proxy.user=ann")) {
            run(gate, "select a from u");
            JsonNode line = AuditLines.last(audit);
            assertThat(text(line, "login")).isEqualTo("gate");
            assertThat(text(line, "user")).isEqualTo("ann");
            List<JsonNode> sessions = AuditLines.of(audit, "SESSION");
            assertThat(text(sessions.getLast(), "session")).isEqualTo(text(line, "session"));
            assertThat(text(sessions.getLast(), "decision")).isEqualTo("ALLOWED");
        }
        assertThatThrownBy(() -> connect("gate", ";hive.server2.proxy.user=root"))
                .isInstanceOf(SQLException.class);
        JsonNode refused = AuditLines.of(audit, "SESSION").getLast();
        assertThat(text(refused, "decision")).isEqualTo("DENIED");
        assertThat(text(refused, "login")).isEqualTo("gate");
        assertThat(text(refused, "user")).isEqualTo("root");
        for (String url : List.of(server.jdbcUrl(), httpUrl(""))) {
            assertThatThrownBy(() -> site.connect(url, "ann", "wrong" + PASSWORD))
                    .isInstanceOf(SQLException.class);
            JsonNode login = AuditLines.of(audit, "LOGIN").getLast();
            assertThat(text(login, "login")).isEqualTo("ann");
            assertThat(text(login, "decision")).isEqualTo("DENIED");
            assertThat(text(login, "transport")).isEqualTo(url.contains("http") ? "HTTP" : "BINARY");
        }
        try (Connection http = site.connect(httpUrl(""), "ann")) {
            run(http, "select a from u");
            assertThat(text(AuditLines.last(audit), "transport")).isEqualTo("HTTP");
        }
        assertThat(page("ann")).isEqualTo(403);
        assertThat(text(AuditLines.last(audit), "decision")).isEqualTo("DENIED");
        assertThat(page("root")).isEqualTo(200);
        JsonNode page = AuditLines.last(audit);
        assertThat(text(page, "transport")).isEqualTo("WEB_PAGES");
        assertThat(text(page, "login")).isEqualTo("root");
        assertThat(text(page, "decision")).isEqualTo("ALLOWED");
    }

    private int page(String user) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String login = Base64.getEncoder().encodeToString((user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uiUrl()))
                    .header("Authorization", "Basic " + login)
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void hasNoSecrets() throws Exception {
        for (String sql : List.of(
                "set fs.s3a.secret.key = " + PASSWORD,
                "set my.url=jdbc:postgresql://u:" + PASSWORD + "@h/db?password=" + PASSWORD,
                "load data inpath 's3a://key:" + PASSWORD + "@b/x' into table t")) {
            assertThatThrownBy(() -> run(root, sql)).isInstanceOf(SQLException.class);
        }
        // The line about the denial of the first statement may be the last one.
        assertThat(AuditLines.of(audit))
                .anySatisfy(line -> assertThat(line.toString()).contains("s3a://key:***@b/x"));
        for (Path file : AuditLines.files(audit)) {
            assertThat(Files.readString(file)).contains("STATEMENT").doesNotContain(PASSWORD);
        }
    }

    /** Each statement of 64 clients has exactly one line, while the file is full again and again. */
    @Test
    void isCompleteUnderLoad() throws Exception {
        Set<String> before = queries();
        List<Future<Integer>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Connection> connections = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                connections.add(site.connect(i % 2 == 0 ? server.jdbcUrl() : httpUrl(""), "ann"));
            }
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                running.add(threads.submit(() -> runMany(connections.get(number), number)));
            }
            for (Future<Integer> one : running) {
                assertThat(one.get()).isEqualTo(STATEMENTS);
            }
        }
        List<String> marked = new ArrayList<>();
        Set<String> after = queries();
        for (JsonNode line : AuditLines.of(audit, "STATEMENT")) {
            String text = text(line, "text");
            if (text.startsWith("/* load ")) {
                marked.add(text.substring(0, text.indexOf("*/")));
                assertThat(text(line, "decision"))
                        .isEqualTo(text.contains("from t") ? "DENIED" : text.contains("fro u") ? "FAILED" : "ALLOWED");
            }
        }
        assertThat(marked).hasSize(CLIENTS * STATEMENTS).doesNotHaveDuplicates();
        after.removeAll(before);
        assertThat(after).hasSizeGreaterThanOrEqualTo(CLIENTS * STATEMENTS);
        assertThat(AuditLines.files(audit)).hasSizeGreaterThan(1);
    }

    /** Returns the ids of all statements, which are there once. */
    private Set<String> queries() throws IOException {
        List<String> all = AuditLines.of(audit, "STATEMENT").stream()
                .filter(line -> line.has("query"))
                .map(line -> text(line, "query"))
                .toList();
        assertThat(all).doesNotHaveDuplicates();
        return new HashSet<>(all);
    }

    private static int runMany(Connection connection, int number) throws SQLException {
        int count = 0;
        try (connection;
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < STATEMENTS; i++) {
                String table = i % 10 == 3 ? "from t" : i % 10 == 7 ? "fro u" : "from u";
                try {
                    statement.execute("/* load " + number + " " + i + " */ select a, b " + table + " where b = 'b" + i
                            + "' and a < 1000000000 -- " + "x".repeat(60));
                    assertThat(table).isEqualTo("from u");
                } catch (SQLException e) {
                    assertThat(table).isNotEqualTo("from u");
                }
                count++;
            }
        }
        return count;
    }
}
