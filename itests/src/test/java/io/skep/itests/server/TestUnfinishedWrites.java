package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Sampling;
import io.skep.itests.client.ReleasedClient;
import io.skep.metastore.testing.TestingRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes that are ended while their rows are in staging files: by a cancellation, a closed operation, a lost client or
 * a SIGTERM. They change nothing and leave nothing behind.
 */
@Timeout(300)
@ExtendWith(SharedServer.class)
final class TestUnfinishedWrites {
    private static final String HUNDRED = "(SELECT posexplode(split(space(99), ' ')) AS (i, e))";

    /** A hundred million rows, which take longer than any test waits. */
    private static final String ROWS = " FROM " + HUNDRED + " a CROSS JOIN " + HUNDRED + " b CROSS JOIN " + HUNDRED
            + " c CROSS JOIN " + HUNDRED + " d";

    private static final String TEXT = "sha2(concat(a.i, b.i, c.i, d.i), 512)";

    @TempDir
    private Path folder;

    private final ReleasedClient client = ReleasedClient.open();
    private final TestServer server;

    TestUnfinishedWrites(TestServer server) throws Exception {
        this.server = server;
    }

    enum Write {
        INTO,
        OVERWRITE,
        DYNAMIC_PARTITIONS,
        LIST_BUCKETS,
        SEVERAL_TABLES,
        CREATE_TABLE_AS,
        DIRECTORY;

        String sql(Path directory) {
            return switch (this) {
                case INTO -> "INSERT INTO t SELECT a.i, " + TEXT + ROWS;
                case OVERWRITE -> "INSERT OVERWRITE TABLE t SELECT a.i, " + TEXT + ROWS;
                case DYNAMIC_PARTITIONS ->
                    "INSERT OVERWRITE TABLE p PARTITION (k) SELECT a.i, " + TEXT + ", b.i % 5" + ROWS;
                case LIST_BUCKETS -> "INSERT OVERWRITE TABLE l SELECT b.i % 5, " + TEXT + ROWS;
                case SEVERAL_TABLES ->
                    "FROM (SELECT a.i AS a, " + TEXT + " AS s" + ROWS + ") rows_of_both"
                            + " INSERT INTO TABLE t SELECT a, s INSERT OVERWRITE TABLE u SELECT a, s";
                case CREATE_TABLE_AS -> "CREATE TABLE made STORED AS PARQUET AS SELECT a.i, " + TEXT + " AS s" + ROWS;
                case DIRECTORY -> "INSERT OVERWRITE DIRECTORY 'file:" + directory + "' SELECT a.i, " + TEXT + ROWS;
            };
        }
    }

    enum End {
        CANCEL,
        CLOSE,
        LOST_CLIENT
    }

    @BeforeEach
    void create() throws Exception {
        Files.writeString(Files.createDirectories(directory()).resolve("old"), "1\n");
        Files.createDirectories(folder.resolve("data"));
        try (Connection connection = client.connect(server.jdbcUrl())) {
            execute(connection, "CREATE DATABASE unfinished");
            execute(connection, "USE unfinished");
            createTables(connection);
        }
    }

    @AfterEach
    void drop() throws Exception {
        try (Connection connection = client.connect(server.jdbcUrl())) {
            execute(connection, "DROP DATABASE unfinished CASCADE");
        }
        client.close();
    }

    private static void createTables(Connection connection) throws SQLException {
        execute(connection, "CREATE TABLE t (a INT, s STRING) STORED AS ORC");
        execute(connection, "CREATE TABLE u (a INT, s STRING) STORED AS TEXTFILE");
        execute(connection, "CREATE TABLE p (a INT, s STRING) PARTITIONED BY (k INT) STORED AS PARQUET");
        execute(connection, "CREATE TABLE l (a INT, s STRING) SKEWED BY (a) ON (1, 2) STORED AS DIRECTORIES");
        execute(connection, "INSERT INTO l VALUES (1, 'six'), (3, 'seven')");
        execute(connection, "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
        execute(connection, "INSERT INTO u VALUES (3, 'three')");
        execute(connection, "INSERT INTO p PARTITION (k) VALUES (4, 'four', 0), (5, 'five', 7)");
    }

    private Path directory() {
        return folder.resolve("directory");
    }

    /** Each kind of write with each end. */
    static Stream<Arguments> writes() {
        List<Arguments> all = new ArrayList<>();
        for (Write write : Write.values()) {
            for (End end : End.values()) {
                all.add(Arguments.of(write, end));
            }
        }
        return Sampling.of(all, 2);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void changeNothing(Write write, End end) throws Exception {
        try (TestingRelay relay = new TestingRelay(server.port())) {
            Connection connection = client.connect("jdbc:hive2://127.0.0.1:" + relay.port() + "/unfinished");
            Statement statement = connection.createStatement();
            CompletableFuture<String> outcome =
                    CompletableFuture.supplyAsync(() -> outcome(statement, write.sql(directory())));
            server.awaitThat("rows are written", () -> hasStagingFile(server.data()) || outcome.isDone());
            assertThat(outcome).as("the write was still at work").isNotDone();
            switch (end) {
                case CANCEL -> statement.cancel();
                case CLOSE -> statement.close();
                case LOST_CLIENT -> relay.cut();
            }
            assertThat(outcome.get()).isNotEqualTo("done");
            if (end != End.LOST_CLIENT) {
                connection.close();
            }
        }
        server.awaitSessions(0);
        server.assertNothingLeft();
        server.awaitThat(
                "the staging folders are gone",
                () -> stagingPaths(server.data()).isEmpty());
        try (Connection connection = client.connect(server.jdbcUrl())) {
            execute(connection, "USE unfinished");
            assertUnchanged(connection);
            execute(connection, "INSERT INTO t VALUES (9, 'nine')");
            assertThat(rows(connection, "SELECT a FROM t ORDER BY a")).containsExactly("1", "2", "9");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERWRITE", "LIST_BUCKETS", "CREATE_TABLE_AS", "DIRECTORY"})
    void changeNothingWhenTheirServerIsToldToEnd(Write write) throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess first = ServerProcess.start(data, Map.of());
                Connection connection = client.connect(first.url())) {
            createTables(connection);
            Statement statement = connection.createStatement();
            CompletableFuture<String> outcome =
                    CompletableFuture.supplyAsync(() -> outcome(statement, write.sql(directory())));
            ServerProcess.await(() -> hasStagingFile(data) || outcome.isDone());
            assertThat(outcome).as("the write was still at work").isNotDone();
            first.process().destroy();
            ServerProcess.awaitEnd(first.process());
            assertThat(first.process().exitValue()).as("it ended by itself").isIn(0, 143);
            assertThat(outcome.get()).isNotEqualTo("done");
        } catch (SQLException closing) {
            assertThat(closing.getMessage()).isNotEmpty();
        }
        try (ServerProcess second = ServerProcess.start(data, Map.of());
                Connection connection = client.connect(second.url())) {
            assertThat(stagingPaths(data)).isEmpty();
            assertThat(data.resolve("commits"))
                    .satisfiesAnyOf(
                            commits -> assertThat(commits).doesNotExist(),
                            commits -> assertThat(commits).isEmptyDirectory());
            assertUnchanged(connection);
        }
    }

    private void assertUnchanged(Connection connection) throws Exception {
        assertThat(rows(connection, "SELECT concat(a, s) FROM t ORDER BY 1")).containsExactly("1one", "2two");
        assertThat(rows(connection, "SELECT concat(a, s) FROM u")).containsExactly("3three");
        assertThat(rows(connection, "SELECT concat(k, a, s) FROM p ORDER BY 1")).containsExactly("04four", "75five");
        assertThat(rows(connection, "SELECT concat(a, s) FROM l ORDER BY 1")).containsExactly("1six", "3seven");
        assertThat(rows(connection, "SHOW PARTITIONS p")).containsExactly("k=0", "k=7");
        assertThat(rows(connection, "SELECT count(*) FROM t")).containsExactly("2");
        assertThat(rows(connection, "SHOW TABLES LIKE 'made'")).isEmpty();
        try (Stream<Path> files = Files.list(directory())) {
            assertThat(files).containsExactly(directory().resolve("old"));
        }
    }

    private static String outcome(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return "done";
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    private boolean hasStagingFile(Path data) {
        return stagingPaths(data).stream().anyMatch(Files::isRegularFile);
    }

    /** Returns the staging folders of the warehouse and next to the directory, with everything in them. */
    private List<Path> stagingPaths(Path data) {
        List<Path> found = new ArrayList<>();
        for (Path place : List.of(data.resolve("warehouse"), folder)) {
            try (Stream<Path> files = Files.walk(place)) {
                files.filter(file -> file.toString().contains(".skep-staging")).forEach(found::add);
            } catch (IOException | UncheckedIOException e) {
                // A folder was deleted during the walk.
                return stagingPaths(data);
            }
        }
        return found;
    }
}
