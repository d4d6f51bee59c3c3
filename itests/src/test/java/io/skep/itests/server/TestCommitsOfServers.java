package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two server processes that write and read the same tables concurrently, on one PostgreSQL database and one warehouse.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCommitsOfServers {
    private static final int INSERTS = 12;
    private static final int OVERWRITES = 12;
    private static final int PARTITIONS = 30;

    /** Starts a thread for each client, so that all of them work at once. */
    private static final Executor CLIENTS =
            client -> Thread.ofPlatform().daemon().start(client);

    private ServerPair servers;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        servers = new ServerPair(folder, Map.of());
    }

    @AfterAll
    void stop() throws Exception {
        servers.close();
    }

    @FunctionalInterface
    private interface Work {
        void on(Statement statement) throws SQLException;
    }

    private CompletableFuture<Void> session(ServerProcess server, Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Connection connection = servers.client().connect(server.url());
                            Statement statement = connection.createStatement()) {
                        work.on(statement);
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                CLIENTS);
    }

    private void run(ServerProcess server, String... texts) {
        session(server, statement -> {
                    for (String text : texts) {
                        statement.execute(text);
                    }
                })
                .join();
    }

    /** Returns rows as texts with a space between columns. */
    private static List<String> rows(Statement statement, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join(" ", row));
            }
        }
        return rows;
    }

    private List<String> rows(ServerProcess server, String query) {
        List<String> rows = new ArrayList<>();
        session(server, statement -> rows.addAll(rows(statement, query))).join();
        return rows;
    }

    /** Row counts and statistics cover all rows. Two concurrent INSERTs must not lose any of them. */
    @Test
    void noInsertIsLost() {
        run(
                servers.one(),
                "CREATE TABLE i (a INT) STORED AS ORC",
                "CREATE TABLE ip (a INT) PARTITIONED BY (k INT) STORED AS ORC");
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        int writer = 0;
        for (ServerProcess server : List.of(servers.one(), servers.other())) {
            int from = 1000 * ++writer;
            writers.add(session(server, statement -> {
                for (int i = from; i < from + INSERTS; i++) {
                    statement.execute("INSERT INTO i VALUES (" + i + ")");
                    statement.execute("INSERT INTO ip PARTITION (k) VALUES (" + i + ", 1), (" + i + ", " + i + ")");
                }
            }));
        }
        writers.forEach(CompletableFuture::join);
        String all = 2 * INSERTS + " 1000 " + (2000 + INSERTS - 1);
        for (ServerProcess server : List.of(servers.one(), servers.other())) {
            assertThat(rows(server, "SELECT count(*), min(a), max(a) FROM i")).containsExactly(all);
            assertThat(rows(server, "SELECT sum(if(a > 0, 1, 0)), min(a + 0), max(a + 0) FROM i"))
                    .containsExactly(all);
            assertThat(rows(server, "SELECT count(*), min(a), max(a) FROM ip WHERE k = 1"))
                    .containsExactly(all);
            assertThat(rows(server, "SELECT count(*), count(DISTINCT k) FROM ip WHERE a > 0"))
                    .containsExactly(4 * INSERTS + " " + (2 * INSERTS + 1));
            assertThat(rows(server, "DESCRIBE FORMATTED i"))
                    .anyMatch(row -> row.matches("(?s).*numRows\\s+" + 2 * INSERTS + "\\b.*"))
                    .anyMatch(row -> row.contains("BASIC_STATS"));
        }
        run(servers.one(), "DROP TABLE i", "DROP TABLE ip");
    }

    /**
     * Each OVERWRITE leaves a single number in both partitions. Readers on both servers see only that state, by scan
     * and by statistics.
     */
    @Test
    void readersSeeWholeOverwrites() {
        run(
                servers.one(),
                "CREATE TABLE w (a INT) PARTITIONED BY (k INT) STORED AS ORC",
                "INSERT INTO w PARTITION (k) VALUES (0, 1), (0, 2)");
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        int writer = 0;
        for (ServerProcess server : List.of(servers.one(), servers.other())) {
            int from = 100 * ++writer;
            writers.add(session(server, statement -> {
                for (int i = from; i < from + OVERWRITES; i++) {
                    statement.execute("INSERT OVERWRITE TABLE w PARTITION (k) VALUES (" + i + ", 1), (" + i + ", 2)");
                }
            }));
        }
        CompletableFuture<Void> written = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
        List<String> wrong = new ArrayList<>();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (ServerProcess server : List.of(servers.one(), servers.other())) {
            readers.add(session(server, statement -> {
                boolean last = false;
                while (!last) {
                    last = written.isDone();
                    for (String query : List.of(
                            "SELECT min(a + 0) = max(a + 0), count(DISTINCT k), sum(1 + 0 * a) FROM w",
                            "SELECT min(a) = max(a), 2, count(*) FROM w")) {
                        List<String> seen = rows(statement, query);
                        if (!seen.equals(List.of("true 2 2"))) {
                            synchronized (wrong) {
                                wrong.add(query + ": " + seen);
                            }
                        }
                    }
                }
            }));
        }
        written.join();
        readers.forEach(CompletableFuture::join);
        assertThat(wrong).isEmpty();
        run(servers.other(), "DROP TABLE w");
    }

    /**
     * A server is killed after its files are in place and before the catalog changes. The other server finishes that
     * commit and continues.
     */
    @Test
    void theOtherServerEndsTheCommitOfAKilledOne() throws Exception {
        String numbers = "(SELECT posexplode(split(space(" + (PARTITIONS - 1) + "), ' ')) AS (i, e)) n";
        run(servers.one(), "CREATE TABLE k (a INT) PARTITIONED BY (p INT) STORED AS ORC");
        try (Connection database = servers.database().getPostgresDatabase().getConnection();
                Statement look = database.createStatement()) {
            database.setAutoCommit(false);
            // From here on every change of the catalog blocks.
            look.execute("SELECT * FROM \"NOTIFICATION_SEQUENCE\" FOR UPDATE");
            CompletableFuture<Void> insert = session(
                    servers.one(),
                    statement -> statement.execute("INSERT INTO k PARTITION (p) SELECT i, i FROM " + numbers));
            ServerProcess.await(() -> isUnderWay(look) || insert.isDone());
            assertThat(insert).isNotDone();
            servers.one().process().destroyForcibly().waitFor();
            database.rollback();
            assertThatThrownBy(insert::join).hasCauseInstanceOf(SQLException.class);
            assertThat(isUnderWay(look)).isTrue();
            run(servers.other(), "INSERT INTO k PARTITION (p = 0) VALUES (-1)");
            assertThat(isUnderWay(look)).isFalse();
            database.rollback();
        }
        String all = PARTITIONS + " " + PARTITIONS;
        assertThat(rows(servers.other(), "SELECT count(DISTINCT p), sum(if(a = p, 1, 0)) FROM k"))
                .containsExactly(all);
        assertThat(rows(servers.other(), "SELECT count(*) FROM k")).containsExactly(Integer.toString(PARTITIONS + 1));
        servers.startOneAgain();
        assertThat(rows(servers.one(), "SELECT count(DISTINCT p), sum(if(a = p, 1, 0)) FROM k"))
                .containsExactly(all);
        run(servers.one(), "DROP TABLE k");
    }

    private static boolean isUnderWay(Statement database) {
        try (ResultSet rows = database.executeQuery("SELECT count(*) FROM \"METASTORE_DB_PROPERTIES\" "
                + "WHERE \"PROPERTY_KEY\" = 'skep.commit.default.k' AND \"PROPERTYCONTENT\" IS NOT NULL")) {
            return rows.next() && rows.getLong(1) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
