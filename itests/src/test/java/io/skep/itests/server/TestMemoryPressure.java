package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many queries at once, each of which wants more memory than the daemon has for all of them: they spill, and all answer. */
@Timeout(300)
final class TestMemoryPressure {
    private static final int SESSIONS = 64;
    private static final int ROWS = 40_000;
    private static final String MEMORY = """
            <configuration>
              <property><name>skep.llap.max-memory</name><value>4mb</value></property>
            </configuration>
            """;
    private static final String HUNDREDS = "(SELECT posexplode(split(space(199), ' ')) AS (i, e))";

    /** Each gives one number, and that is the number of rows. */
    private static final List<String> QUERIES = List.of(
            "SELECT count(*) FROM (SELECT s, count(*) FROM t GROUP BY s) g",
            "SELECT count(*) FROM t a JOIN t b ON a.s = b.s",
            "SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY s) r FROM t) w",
            "SELECT max(r) FROM (SELECT count(*) OVER (ORDER BY s, k) r FROM t) w",
            "SELECT count(DISTINCT s) FROM t",
            "SELECT count(*) FROM (SELECT s FROM t UNION SELECT concat(s, '') FROM t) u",
            "SELECT max(k) + 1 FROM (SELECT k FROM t ORDER BY k DESC, s LIMIT 10) o",
            "SELECT count(*) FROM (SELECT k FROM t DISTRIBUTE BY k SORT BY s) d");

    @TempDir
    private Path folder;

    @Test
    void allAnswer() throws Exception {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("hive-site.xml"), MEMORY);
        Path data = Files.createDirectories(folder.resolve("data"));
        ServerProcess server = ServerProcess.start(data, "--conf", conf.toString());
        try (ReleasedClient client = ReleasedClient.open()) {
            try (Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t STORED AS ORC AS SELECT a.i * 200 + b.i AS k,"
                        + " concat(repeat('x', 40), b.i, '-', a.i) AS s FROM " + HUNDREDS + " a CROSS JOIN " + HUNDREDS
                        + " b");
            }
            List<Future<String>> answers = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int session = 0; session < SESSIONS; session++) {
                    String query = QUERIES.get(session % QUERIES.size());
                    answers.add(threads.submit(() -> ask(client, server.url(), query)));
                }
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).endsWith(": " + ROWS);
            }
            try (Stream<Path> spilled = Files.list(data.resolve("spill"))) {
                assertThat(spilled).isEmpty();
            }
        } finally {
            server.process().destroy();
            server.process().waitFor();
        }
    }

    /** The query with its answer or what it failed with. */
    private static String ask(ReleasedClient client, String url, String query) {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return query + ": " + (rows.next() ? rows.getString(1) : "no row");
        } catch (SQLException e) {
            return query + ": " + e.getMessage();
        }
    }
}
