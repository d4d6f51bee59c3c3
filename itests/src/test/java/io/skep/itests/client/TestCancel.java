package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.metastore.testing.TestingRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests queries that would run for hours and that their user cancels or whose client disappears. After each test the
 * server must contain no leftovers of them.
 */
@ExtendWith(SharedServer.class)
final class TestCancel {
    /** Evaluates and discards each of the ten million pairs that match. */
    private static final String JOIN = "select count(*) from numbers a join numbers b on a.seventh = b.seventh"
            + " join numbers c on b.seventh = c.seventh where a.n + b.n + c.n < 0";

    private static final String SCAN = "select sum(length(v)) from numbers a cross join numbers b"
            + " lateral view explode(split(space(9999), ' ')) words as v";

    private static final String SORT =
            "select a.n, b.n from numbers a cross join numbers b cross join numbers c order by a.n * b.n % 1009, c.n";

    private static final String ROWS = "select a.n, b.n, c.n from numbers a cross join numbers b cross join numbers c";

    private final ReleasedClient client = ReleasedClient.open();
    private final TestServer server;
    private final Connection connection;

    TestCancel(TestServer server) throws Exception {
        this.server = server;
        this.connection = client.connect(server.jdbcUrl());
    }

    @BeforeEach
    void numbers() throws SQLException {
        execute("create database if not exists cancel_test", "use cancel_test");
        execute("create table if not exists numbers (n int, seventh int) stored as orc");
        execute("insert overwrite table numbers select pos, pos % 7"
                + " from (select posexplode(split(space(9999), ' ')) as (pos, v)) t");
    }

    @AfterEach
    void close() throws Exception {
        execute("use default", "drop database cancel_test cascade");
        connection.close();
        client.close();
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String query(String kind) {
        return switch (kind) {
            case "join" -> JOIN;
            case "scan" -> SCAN;
            case "sort" -> SORT;
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void prepare(String kind, String scheduler) throws SQLException {
        execute("set skep.scheduler=" + scheduler);
        if (kind.equals("sort")) {
            execute("set skep.operator.max-memory=65536");
        }
    }

    /** Waits until a query is running: its tasks run, and a sort has spilled to disk. */
    private void awaitWork(String kind) {
        server.awaitThat("tasks run", () -> server.server().snapshot().tasks() > 0);
        if (kind.equals("sort")) {
            server.awaitThat("the sort spills", () -> server.server().snapshot().spillFiles() > 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"join,direct", "join,tez", "scan,direct", "scan,tez", "sort,direct", "sort,tez"})
    void byAnotherThread(String kind, String scheduler) throws Exception {
        prepare(kind, scheduler);
        try (Statement statement = connection.createStatement()) {
            CompletableFuture<String> outcome = CompletableFuture.supplyAsync(() -> outcome(statement, query(kind)));
            server.awaitRunning(query(kind));
            awaitWork(kind);
            server.awaitThat("the driver knows its query", () -> ReleasedClient.queryId(statement) != null);
            statement.cancel();
            assertThat(outcome.get()).contains("cancel");
        }
        assertTheSessionGoesOn();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "tag"})
    void byKillQuery(String named) throws Exception {
        prepare("join", "direct");
        execute("set hive.query.tag=nightly");
        Properties another = new Properties();
        another.put("user", "another");
        try (Statement statement = connection.createStatement();
                Connection ofAnother = client.connect(server.jdbcUrl(), another);
                Statement denied = ofAnother.createStatement();
                Connection ofSame = client.connect(server.jdbcUrl());
                Statement killer = ofSame.createStatement()) {
            CompletableFuture<String> outcome = CompletableFuture.supplyAsync(() -> outcome(statement, JOIN));
            server.awaitRunning(JOIN);
            awaitWork("join");
            server.awaitThat("the driver knows its query", () -> ReleasedClient.queryId(statement) != null);
            String name = named.equals("id") ? String.valueOf(ReleasedClient.queryId(statement)) : "nightly";
            assertThatThrownBy(() -> denied.execute("kill query '" + name + "'"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("No privilege to kill query " + named);
            killer.execute("set hive.query.tag=nightly");
            killer.execute("kill query 'of nobody' '" + name + "'");
            assertThat(outcome.get()).contains("User invoked KILL QUERY");
        }
        execute("set hive.query.tag=");
        assertTheSessionGoesOn();
    }

    private static String outcome(Statement statement, String sql) {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return "rows: " + rows.next();
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void assertTheSessionGoesOn() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from numbers")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(10_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "tez"})
    void whileRowsAreRead(String scheduler) throws Exception {
        prepare("rows", scheduler);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(10);
            try (ResultSet rows = statement.executeQuery(ROWS)) {
                assertThat(rows.next()).isTrue();
                statement.cancel();
                assertThatThrownBy(() -> readAll(rows))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("cancelled by its user");
            }
        }
        assertTheSessionGoesOn();
    }

    private static void readAll(ResultSet rows) throws SQLException {
        while (rows.next()) {
            assertThat(rows.getInt(1)).isNotNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "tez"})
    void closedBeforeItsRowsAreRead(String scheduler) throws Exception {
        prepare("rows", scheduler);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ROWS)) {
            assertThat(rows.next()).isTrue();
        }
        server.awaitThat(
                "nothing runs", () -> server.server().snapshot().leftovers().isEmpty());
        assertTheSessionGoesOn();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "tez"})
    void byTheClientsTimeLimit(String scheduler) throws Exception {
        prepare("join", scheduler);
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(JOIN)).isInstanceOf(SQLTimeoutException.class);
        }
        assertTheSessionGoesOn();
    }

    @Test
    void byTheSessionsTimeLimit() throws Exception {
        execute("set hive.query.timeout.seconds=1s");
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery(JOIN)).isInstanceOf(SQLTimeoutException.class);
        }
        assertTheSessionGoesOn();
    }

    @ParameterizedTest
    @CsvSource({"join,direct", "join,tez", "sort,direct", "sort,tez"})
    void clientsThatVanishInMidQuery(String kind, String scheduler) throws Exception {
        try (TestingRelay relay = new TestingRelay(server.port())) {
            Connection other = client.connect("jdbc:hive2://127.0.0.1:" + relay.port() + "/cancel_test?skep.scheduler="
                    + scheduler + ";skep.operator.max-memory=65536");
            Statement statement = other.createStatement();
            CompletableFuture<String> outcome = CompletableFuture.supplyAsync(() -> outcome(statement, query(kind)));
            server.awaitRunning(query(kind));
            awaitWork(kind);
            relay.cut();
            server.awaitSessions(1);
            assertThat(outcome.get()).doesNotStartWith("rows");
        }
        server.awaitThat(
                "nothing is left", () -> server.server().snapshot().leftovers().isEmpty());
        assertTheSessionGoesOn();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "tez"})
    void clientsThatVanishInMidFetch(String scheduler) throws Exception {
        try (TestingRelay relay = new TestingRelay(server.port())) {
            Connection other = client.connect(
                    "jdbc:hive2://127.0.0.1:" + relay.port() + "/cancel_test?skep.scheduler=" + scheduler);
            Statement statement = other.createStatement();
            statement.setFetchSize(10);
            ResultSet rows = statement.executeQuery(ROWS);
            assertThat(rows.next()).isTrue();
            relay.cut();
            server.awaitSessions(1);
            assertThatThrownBy(() -> readAll(rows)).isInstanceOf(SQLException.class);
        }
        server.awaitThat(
                "nothing is left", () -> server.server().snapshot().leftovers().isEmpty());
        assertTheSessionGoesOn();
    }
}
