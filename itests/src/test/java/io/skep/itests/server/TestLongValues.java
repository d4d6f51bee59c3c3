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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values of 60 MB from several concurrent clients in a server with a heap of 1 GB, and of 25 MB in daemons with half of
 * that. Each statement returns its answer or is rejected for lack of memory, and the processes continue.
 */
@Timeout(300)
final class TestLongValues {
    /** The length of a text in processes with a heap of 1 GB. */
    private static final int LENGTH = 60_000_000;

    /** The length of a text in daemons, which have half of that heap. */
    private static final int LENGTH_IN_DAEMONS = 25_000_000;

    private static final int CLIENTS = 6;
    private static final int TEXTS = 3;

    @TempDir
    private Path folder;

    @Test
    void areAnsweredOrRefused() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ServerProcess server = ServerProcess.startWithC2(data, Map.of())) {
            assertAnsweredOrRefused(server, LENGTH);
        }
    }

    /** Repeats the test with rows that come from other processes. */
    @Test
    @EnabledIfSystemProperty(named = "skep.daemons", matches = "all")
    void fromOtherDaemonsToo() throws Exception {
        StartedDaemon one = StartedDaemon.start(folder.resolve("one"), Map.of());
        StartedDaemon two = StartedDaemon.start(folder.resolve("two"), Map.of());
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ServerProcess server =
                ServerProcess.startWithC2(data, Map.of("skep.llap.daemons", one.endpoint() + "," + two.endpoint()))) {
            assertAnsweredOrRefused(server, LENGTH_IN_DAEMONS);
        } finally {
            for (StartedDaemon daemon : List.of(one, two)) {
                assertThat(daemon.process().isAlive()).as("the daemon").isTrue();
                daemon.process().destroy();
                ServerProcess.awaitEnd(daemon.process());
            }
        }
    }

    private static void assertAnsweredOrRefused(ServerProcess server, int length) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE one (a INT) STORED AS ORC");
            statement.execute("INSERT INTO one VALUES (1)");
            statement.execute("CREATE TABLE texts (s STRING) STORED AS TEXTFILE");
            for (int i = 0; i < TEXTS; i++) {
                statement.execute("INSERT INTO texts SELECT repeat('" + i + "', " + length + ") FROM one");
            }
            // All columns are texts that are live at the same time.
            assertOutcomes(
                    client,
                    server,
                    "SELECT length(a) + length(b) + length(c) + length(d) + length(e) FROM (SELECT repeat('a', a * "
                            + length + ") a, repeat('b', a * " + length + ") b, repeat('c', a * " + length
                            + ") c, repeat('d', a * "
                            + length + ") d, repeat('e', a * " + length + ") e FROM one LIMIT 1) t",
                    5 * length);
            assertOutcomes(client, server, "SELECT max(length(s)) FROM texts", length);
            assertOutcomes(client, server, "SELECT max(length(concat(s, s))) FROM texts", 2 * length);
            // The values pass from the table's file to the client through the exchange, its file, and the pages of the
            // result.
            assertOutcomes(client, server, "SELECT s FROM texts", TEXTS * length);
            for (String format : List.of("ORC", "PARQUET")) {
                String table = "texts_" + format;
                statement.execute("CREATE TABLE " + table + " (s STRING) STORED AS " + format);
                statement.execute("INSERT INTO " + table + " SELECT s FROM texts");
                assertOutcomes(client, server, "SELECT max(length(s)) FROM " + table, length);
            }
            assertThat(number(statement, "SELECT sum(a) FROM one")).isEqualTo(1);
        }
    }

    private static void assertOutcomes(ReleasedClient client, ServerProcess server, String sql, int expected) {
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<CompletableFuture<String>> outcomes = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                outcomes.add(CompletableFuture.supplyAsync(() -> outcome(client, server, sql), threads));
            }
            for (CompletableFuture<String> outcome : outcomes) {
                assertThat(outcome.join())
                        .as(sql)
                        .matches(text -> text.equals(Integer.toString(expected))
                                || text.contains("skep.llap.max-memory")
                                || text.contains("skep.thrift.answer-memory")
                                || text.contains("find no room beside others")
                                || text.contains("that one batch of rows may have"));
            }
        }
        assertThat(server.process().isAlive()).as("the server after %s", sql).isTrue();
    }

    private static String outcome(ReleasedClient client, ServerProcess server, String sql) {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            return Long.toString(sql.startsWith("SELECT s ") ? fetch(statement, sql) : number(statement, sql));
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns the number of characters that arrive. */
    private static long fetch(Statement statement, String sql) throws SQLException {
        long bytes = 0;
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                bytes += rows.getString(1).length();
            }
        }
        return bytes;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}
