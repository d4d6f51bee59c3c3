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

/** Many queries at once, each of which wants more memory than the daemon has for all of them: they spill or wait, and all answer. */
@Timeout(300)
final class TestMemoryPressure {
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
    void allSpillAndAnswer() throws Exception {
        assertAllAnswer("4mb", 200, 64, QUERIES);
    }

    /** Each holds all rows in an order, which it cannot spill: an eighth of the memory, and there are sixteen. */
    @Test
    void windowsOverAllRowsAnswer() throws Exception {
        assertAllAnswer(
                "192mb", 400, 16, List.of("SELECT count(n) + 1 FROM (SELECT lead(s) OVER (ORDER BY k) n FROM t) w"));
    }

    /** @param side the square root of the number of rows, which each query gives */
    private void assertAllAnswer(String memory, int side, int sessions, List<String> queries) throws Exception {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(
                conf.resolve("hive-site.xml"),
                "<configuration><property><name>skep.llap.max-memory</name><value>" + memory
                        + "</value></property></configuration>");
        Path data = Files.createDirectories(folder.resolve("data"));
        ServerProcess server = ServerProcess.start(data, "--conf", conf.toString());
        try (ReleasedClient client = ReleasedClient.open()) {
            try (Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                String numbers = "(SELECT posexplode(split(space(" + (side - 1) + "), ' ')) AS (i, e))";
                statement.execute("CREATE TABLE t STORED AS ORC AS SELECT a.i * " + side + " + b.i AS k,"
                        + " concat(repeat('x', 40), b.i, '-', a.i) AS s FROM " + numbers + " a CROSS JOIN " + numbers
                        + " b");
            }
            List<Future<String>> answers = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int session = 0; session < sessions; session++) {
                    String query = queries.get(session % queries.size());
                    answers.add(threads.submit(() -> ask(client, server.url(), query)));
                }
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).endsWith(": " + side * side);
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
