package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import java.io.IOException;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two server processes on one PostgreSQL database and one warehouse, found through ZooKeeper. Parts of this setup fail
 * and come back.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestServersOnOneDatabase {
    private static final int ROUNDS = 10;
    private static final String HUNDRED = "(SELECT posexplode(split(space(99), ' ')) AS (i, e))";

    private ZooKeeperServer zooKeeper;
    private ServerPair servers;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        zooKeeper = new ZooKeeperServer(folder);
        // While the database is away, servers can read only cached metadata.
        String log = "org.apache.hive.hcatalog.listener.DbNotificationListener";
        servers = new ServerPair(folder, zooKeeper.site(Map.of("hive.metastore.transactional.event.listeners", log)));
    }

    @AfterAll
    void stop() throws Exception {
        try {
            servers.close();
        } finally {
            zooKeeper.close();
        }
    }

    /** Runs statements on one of the servers. */
    private final class Session implements AutoCloseable {
        private final Connection connection;
        private final Statement statement;

        Session(String url) throws SQLException {
            connection = servers.client().connect(url);
            statement = connection.createStatement();
        }

        void run(String... texts) throws SQLException {
            for (String text : texts) {
                statement.execute(text);
            }
        }

        List<String> rows(String query) throws SQLException {
            List<String> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(query)) {
                while (result.next()) {
                    rows.add(String.valueOf(result.getString(1)));
                }
            }
            return rows;
        }

        /** Waits until a query returns these rows. It may fail before that. */
        void awaitRows(String query, String... expected) {
            Polling.await(query)
                    .ignoreExceptionsInstanceOf(SQLException.class)
                    .until(() -> rows(query).equals(List.of(expected)));
        }

        @Override
        public void close() throws SQLException {
            statement.close();
            connection.close();
        }
    }

    @Test
    void definitionsAndRowsOfOneAreSeenByTheOther() throws Exception {
        try (Session a = new Session(servers.one().url());
                Session b = new Session(servers.other().url())) {
            assertThat(b.rows("SHOW DATABASES LIKE 'seen'")).isEmpty();
            a.run("CREATE DATABASE seen", "CREATE TABLE seen.t (a INT) STORED AS ORC");
            b.awaitRows("SHOW TABLES IN seen", "t");
            a.run("INSERT INTO seen.t VALUES (1), (2)");
            b.awaitRows("SELECT count(*) FROM seen.t", "2");
            b.run("INSERT INTO seen.t VALUES (3)", "ALTER TABLE seen.t ADD COLUMNS (b STRING)");
            a.awaitRows("SELECT count(*) FROM seen.t WHERE b IS NULL", "3");
            b.run("DROP DATABASE seen CASCADE");
            a.awaitRows("SHOW DATABASES LIKE 'seen'");
            // SHOW DATABASES reads the metastore. The cached definition of the table is invalidated with a delay.
            ServerProcess.await(() -> !runs(a, "SELECT a FROM seen.t"));
        }
    }

    /** A server never returns them, not even before it has read the event of the other server's change. */
    @Test
    void rewrittenAndDroppedPartitionsAreNeverServed() throws Exception {
        try (Session a = new Session(servers.one().url());
                Session b = new Session(servers.other().url())) {
            a.run("CREATE TABLE p (a INT) PARTITIONED BY (k INT) STORED AS ORC");
            a.run("INSERT INTO p PARTITION (k = 1) VALUES (-1)", "INSERT INTO p PARTITION (k = 2) VALUES (-2)");
            String query = "SELECT a FROM p WHERE k = 1";
            b.awaitRows(query, "-1");
            for (int round = 0; round < ROUNDS; round++) {
                a.run("INSERT OVERWRITE TABLE p PARTITION (k = 1) VALUES (" + round + ")");
                assertThat(b.rows(query)).containsExactly(Integer.toString(round));
                // The answer comes from statistics; the new file has the same length as the old one.
                assertThat(b.rows("SELECT max(a) FROM p WHERE k = 1")).containsExactly(Integer.toString(round));
            }
            a.run("ALTER TABLE p DROP PARTITION (k = 1)");
            assertThat(b.rows(query)).isEmpty();
            b.awaitRows("SHOW PARTITIONS p", "k=2");
            assertThat(b.rows("SELECT a FROM p")).containsExactly("-2");
            a.run("DROP TABLE p");
        }
    }

    @Test
    void clientsOfAKilledServerGoOnWithTheOther() throws Exception {
        try (Session a = new Session(servers.one().url())) {
            a.run("CREATE TABLE k (a INT, b STRING) STORED AS ORC", "INSERT INTO k VALUES (1, 'one')");
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> overwrite(a));
            ServerProcess.await(() -> hasStaging() || insert.isDone());
            assertThat(insert).isNotDone();
            servers.one().process().destroyForcibly().waitFor();
            assertThatThrownBy(insert::join).hasCauseInstanceOf(IllegalStateException.class);
        } catch (SQLException closing) {
            assertThat(servers.one().process().isAlive()).isFalse();
        }
        for (int i = 0; i < 4; i++) {
            try (Session b = new Session(zooKeeper.jdbcUrl())) {
                b.awaitRows("SELECT a FROM k", "1");
            }
        }
        servers.startOneAgain();
        assertThat(hasStaging()).isFalse();
        try (Session a = new Session(servers.one().url())) {
            assertThat(a.rows("SELECT a FROM k")).containsExactly("1");
            a.run("DROP TABLE k");
        }
    }

    private static void overwrite(Session session) {
        try {
            session.run("INSERT OVERWRITE TABLE k SELECT a.i, sha2(concat(a.i, b.i, c.i, d.i), 512) FROM " + HUNDRED
                    + " a CROSS JOIN " + HUNDRED + " b CROSS JOIN " + HUNDRED + " c CROSS JOIN " + HUNDRED + " d");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean hasStaging() {
        try (var files = Files.walk(servers.warehouse())) {
            return files.anyMatch(file -> file.toString().contains(".skep-staging") && Files.isRegularFile(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void databaseIsRestarted() throws Exception {
        try (Session a = new Session(servers.one().url());
                Session b = new Session(servers.other().url())) {
            a.run("CREATE TABLE d (a INT) STORED AS ORC", "INSERT INTO d VALUES (1)");
            // The answer from statistics includes the other server's changes. What is read after it stays in the cache.
            b.awaitRows("SELECT count(*) FROM d", "1");
            b.awaitRows("SELECT a FROM d", "1");
            servers.database().close();
            assertThatThrownBy(() -> a.run("CREATE TABLE nowhere (a INT)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("metastore");
            assertThat(b.rows("SELECT a FROM d")).containsExactly("1");
            servers.startDatabaseAgain();
            ServerProcess.await(() -> runs(a, "CREATE TABLE IF NOT EXISTS d2 (a INT) STORED AS ORC"));
            a.run("INSERT INTO d2 VALUES (2)");
            b.awaitRows("SELECT a FROM d2", "2");
            b.run("DROP TABLE d", "DROP TABLE d2");
        }
    }

    @Test
    void zooKeeperIsAwayForAWhile() throws Exception {
        try (Session a = new Session(servers.one().url())) {
            zooKeeper.stop();
            assertThat(a.rows("SELECT 1")).containsExactly("1");
            try (Session direct = new Session(servers.other().url())) {
                assertThat(direct.rows("SELECT 2")).containsExactly("2");
            }
            zooKeeper.startAgain();
            ServerProcess.await(() -> registered() == 2);
            try (Session found = new Session(zooKeeper.jdbcUrl())) {
                assertThat(found.rows("SELECT 3")).containsExactly("3");
            }
        }
    }

    private int registered() {
        try {
            return zooKeeper.servers().size();
        } catch (Exception e) {
            return -1;
        }
    }

    private static boolean runs(Session session, String text) {
        try {
            session.run(text);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
