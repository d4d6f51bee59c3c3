package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.io.Writer;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of thousands of columns from several concurrent clients in a server with a heap of 1 GB. Each statement returns
 * its answer or is rejected for lack of memory, and the server continues. {@code -Dskep.wide.full=true} has 10,000
 * columns, and more statements, rows and clients.
 */
@Timeout(900)
final class TestWideRows {
    private static final boolean FULL = Boolean.getBoolean("skep.wide.full");
    private static final int COLUMNS = FULL ? 10_000 : 5_000;
    private static final int ROWS = FULL ? 512 : 192;

    /** The number of concurrent clients. It is smaller where a statement takes long. */
    private static final int MANY = FULL ? 8 : 3;

    private static final int FEW = 2;

    /** The number of rows of an answer that are fetched. The others are produced meanwhile. */
    private static final int FETCHED = FULL ? 100 : 40;

    private static final List<String> TYPES = List.of("INT", "DOUBLE", "STRING", "BIGINT");

    @TempDir
    private Path folder;

    @Test
    void areAnsweredOrRefused() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.startWithC2(data, Map.of("skep.compile.time-limit", "10min"));
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            for (String format : List.of("TEXTFILE", "ORC")) {
                create(statement, format);
            }
            statement.execute("LOAD DATA LOCAL INPATH '" + file() + "' INTO TABLE wide_textfile");
            // A query with a limit has a single writer, for whose buffers there is room.
            statement.execute("INSERT INTO wide_orc SELECT * FROM wide_textfile LIMIT " + ROWS);
            assertOutcomes(server, MANY, "SELECT * FROM wide_orc", sql -> rows(client, server, sql));
            if (FULL) {
                assertOutcomes(client, server, statement);
            }
            assertThat(sum(client, server, "SELECT sum(c0) FROM wide_textfile")).isEqualTo("right");
        }
    }

    private static void create(Statement statement, String format) throws SQLException {
        statement.execute("CREATE TABLE wide_" + format + columns() + " STORED AS " + format
                + (format.equals("ORC") ? " TBLPROPERTIES ('orc.compress' = 'NONE')" : ""));
    }

    private static void assertOutcomes(ReleasedClient client, ServerProcess server, Statement statement)
            throws SQLException {
        create(statement, "PARQUET");
        statement.execute("INSERT INTO wide_parquet SELECT * FROM wide_textfile LIMIT " + ROWS);
        statement.execute("CREATE TABLE keys (k INT) STORED AS ORC");
        statement.execute("INSERT INTO keys SELECT c0 FROM wide_orc");
        for (String format : List.of("textfile", "parquet")) {
            assertOutcomes(server, MANY, "SELECT * FROM wide_" + format, sql -> rows(client, server, sql));
        }
        assertOutcomes(server, FEW, sums(), sql -> sum(client, server, sql));
        assertOutcomes(server, FEW, "SELECT * FROM wide_orc ORDER BY c3 DESC", sql -> rows(client, server, sql));
        assertOutcomes(
                server, FEW, "SELECT a.* FROM keys JOIN wide_parquet a ON k = c0", sql -> rows(client, server, sql));
        assertOutcomes(
                server, FEW, "INSERT INTO wide_orc SELECT * FROM wide_parquet", sql -> update(client, server, sql));
    }

    private static String columns() {
        return IntStream.range(0, COLUMNS)
                .mapToObj(i -> "c" + i + " " + TYPES.get(i % TYPES.size()))
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Returns a file with rows in which each value is the row's number. */
    private Path file() throws IOException {
        Path file = folder.resolve("rows");
        try (Writer out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < ROWS; row++) {
                out.write((row + "\001").repeat(COLUMNS - 1));
                out.write(row + "\n");
            }
        }
        return file;
    }

    /** Returns aggregates over two of every ten columns, which cover numbers of each kind and texts. */
    private static String sums() {
        return IntStream.range(0, COLUMNS / 10)
                .mapToObj(i -> "sum(c" + 10 * i + "), max(c" + (10 * i + 1) + ")")
                .collect(Collectors.joining(", ", "SELECT ", " FROM wide_orc"));
    }

    private interface Client {
        String outcome(String sql) throws SQLException;
    }

    private static void assertOutcomes(ServerProcess server, int clients, String sql, Client client) {
        List<String> seen = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<CompletableFuture<String>> outcomes = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                outcomes.add(CompletableFuture.supplyAsync(() -> outcome(sql, client), threads));
            }
            outcomes.forEach(outcome -> seen.add(outcome.join()));
        }
        String name = sql.substring(0, Math.min(80, sql.length()));
        assertThat(server.process().isAlive()).as("the server after %s", name).isTrue();
        assertThat(seen)
                .as(name)
                .allMatch(text -> text.equals("right")
                        || text.contains("skep.llap.max-memory")
                        || text.contains("skep.thrift.answer-memory"));
    }

    private static String outcome(String sql, Client client) {
        try {
            return client.outcome(sql);
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String rows(ReleasedClient client, ServerProcess server, String sql) throws SQLException {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            for (int i = 0; i < FETCHED; i++) {
                if (!rows.next()) {
                    return "row " + i + " is missing";
                }
                for (int column = 1; column <= COLUMNS; column += 97) {
                    if ((long) Double.parseDouble(rows.getString(column)) != rows.getLong(4)) {
                        return "row " + i + " has " + rows.getString(column) + " in column " + column;
                    }
                }
            }
            return "right";
        }
    }

    private static String sum(ReleasedClient client, ServerProcess server, String sql) throws SQLException {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            int columns = rows.getMetaData().getColumnCount();
            for (int column = 1; column <= columns; column += 2) {
                if (rows.getDouble(column) != (ROWS - 1) * ROWS / 2.0) {
                    return rows.getString(column) + " in column " + column;
                }
            }
            return "right";
        }
    }

    private static String update(ReleasedClient client, ServerProcess server, String sql) throws SQLException {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return "right";
        }
    }
}
