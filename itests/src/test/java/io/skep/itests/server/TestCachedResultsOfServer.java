package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The cache of results with released clients: what they read, what the pages show, many clients at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCachedResultsOfServer {
    private static final int CLIENTS = 8;

    private final TestServer server = TestServer.start(Map.of("hive.query.results.cache.enabled", "true"));
    private final ReleasedClient client;

    TestCachedResultsOfServer() throws Exception {
        client = ReleasedClient.open();
    }

    @BeforeAll
    void makeTable() throws SQLException {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create table t (a int, s string) stored as orc tblproperties ('transactional'='true')");
            statement.execute("insert into t values (1, 'x'), (2, 'y'), (3, null)");
        }
    }

    @AfterAll
    void close() throws Exception {
        client.close();
        server.close();
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1) + " "
                        + result.getString(Math.min(2, result.getMetaData().getColumnCount())));
            }
        }
        return rows;
    }

    private String page() throws Exception {
        try (InputStream answer =
                URI.create(server.uiUrl() + "api/queries").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void clientsAndPagesSeeCachedRows() throws Exception {
        String sql = "select a, s from t where a < 3 order by a";
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 3; i++) {
                assertThat(rows(statement, sql)).containsExactly("1 x", "2 y");
            }
            assertThat(page()).contains("\"scheduler\":\"result cache\"");
            assertThat(rows(statement, "explain " + sql).getLast()).startsWith("Cached result");
            statement.execute("update t set s = 'z' where a = 2");
            assertThat(rows(statement, sql)).containsExactly("1 x", "2 z");
            statement.execute("update t set s = 'y' where a = 2");
            assertThat(rows(statement, sql)).containsExactly("1 x", "2 y");
        }
    }

    /** Each client adds a row and must then see its row, while the others ask the same query. */
    @Test
    void manyClientsSeeTheirOwnWrites() throws Exception {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create table w (c int, n int) stored as orc tblproperties ('transactional'='true')");
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(writer(i)));
            }
            for (Future<Integer> done : clients) {
                assertThat(done.get()).isEqualTo(5);
            }
        }
    }

    private Callable<Integer> writer(int number) {
        return () -> {
            int seen = 0;
            try (Connection connection = client.connect(server.jdbcUrl());
                    Statement statement = connection.createStatement()) {
                for (int n = 1; n <= 5; n++) {
                    statement.execute("insert into w values (" + number + ", " + n + ")");
                    assertThat(rows(statement, "select c, max(n) from w group by c"))
                            .contains(number + " " + n);
                    seen = n;
                }
            }
            return seen;
        };
    }
}
