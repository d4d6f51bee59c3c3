package io.skep.itests.client;

import static io.skep.itests.client.DriverSession.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests sessions, statements, results, logs and errors of each released driver over both transports. */
@ExtendWith(SharedServer.class)
@ParameterizedClass
@MethodSource("driversAndTransports")
final class TestDriverStatements {
    private static final String NUMBERS = "select pos from (select posexplode(split(space(%s), ' ')) as (pos, v)) t";

    private final ReleasedDriver driver;
    private final Transport transport;
    private final TestServer server;
    private final DriverSession session;

    TestDriverStatements(ReleasedDriver driver, Transport transport, TestServer server) throws Exception {
        this.driver = driver;
        this.transport = transport;
        this.server = server;
        session = DriverSession.open(driver, transport.url(server, "default"), "driver_statements");
    }

    static Stream<Arguments> driversAndTransports() {
        return Stream.of(ReleasedDriver.values())
                .flatMap(driver -> Stream.of(Transport.values()).map(transport -> Arguments.of(driver, transport)));
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    @Test
    void sessionsKnowUserDatabaseAndSettings() throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", "mary");
        properties.setProperty("password", "any");
        String url = transport.url(server, "driver_statements") + "?hive.exec.dynamic.partition.mode=strict#word=green";
        Connection connection = ReleasedClient.open(driver).connect(url, properties);
        try (connection;
                Statement statement = connection.createStatement()) {
            assertThat(connection.isValid(5)).isTrue();
            assertThat(connection.isReadOnly()).isFalse();
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getSchema()).isEqualTo("driver_statements");
            assertThat(rows(statement.executeQuery("select current_user(), current_database(), '${hivevar:word}'")))
                    .containsExactly(List.of("mary", "driver_statements", "green"));
            assertThat(rows(statement.executeQuery("set hive.exec.dynamic.partition.mode")))
                    .containsExactly(List.of("hive.exec.dynamic.partition.mode=strict"));
            connection.setSchema("default");
            assertThat(connection.getSchema()).isEqualTo("default");
            assertThat(connection.isClosed()).isFalse();
        }
        assertThat(connection.isClosed()).isTrue();
        connection.close();
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
    }

    @Test
    void sessionsOfAnUnknownDatabaseAreRefused() throws Exception {
        ReleasedClient client = ReleasedClient.open(driver);
        String url = transport.url(server, "no_such_database");
        assertThatThrownBy(() -> client.connect(url))
                .isInstanceOf(SQLException.class)
                .hasStackTraceContaining("no_such_database");
    }

    @Test
    void fetchesOfEachSizeReturnTheSameRows() throws SQLException {
        for (int size : new int[] {1, 7, 100, 10_000}) {
            try (Statement statement = session.connection().createStatement()) {
                statement.setFetchSize(size);
                assertThat(statement.getFetchSize()).isEqualTo(size);
                long sum = 0;
                int count = 0;
                try (ResultSet rows = statement.executeQuery(NUMBERS.formatted(499))) {
                    while (rows.next()) {
                        sum += rows.getInt(1);
                        count++;
                        assertThat(rows.getRow()).isEqualTo(count);
                    }
                    assertThat(rows.next()).isFalse();
                }
                assertThat(List.of(count, sum)).isEqualTo(List.of(500, 124_750L));
            }
        }
    }

    @Test
    void resultsOfManyBatches() throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            List<List<Object>> rows = rows(statement.executeQuery(NUMBERS.formatted(49_999)));
            assertThat(rows).hasSize(50_000).last().isEqualTo(List.of(49_999));
        }
    }

    @Test
    void limitsOfRowsAndEmptyResults() throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            statement.setMaxRows(10);
            assertThat(rows(statement.executeQuery(NUMBERS.formatted(99)))).hasSize(10);
            statement.setMaxRows(0);
            assertThat(rows(statement.executeQuery(NUMBERS.formatted(99)))).hasSize(100);
            assertThat(rows(statement.executeQuery("select 1 as one where 1 = 0")))
                    .isEmpty();
        }
    }

    @Test
    void scrollableResultsStartAgain() throws SQLException {
        try (Statement statement = session.connection()
                        .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery("select explode(array(3, 1, 2)) as a")) {
            for (int round = 0; round < 2; round++) {
                assertThat(rows.isBeforeFirst()).isTrue();
                for (int expected : new int[] {3, 1, 2}) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1)).isEqualTo(expected);
                }
                assertThat(rows.next()).isFalse();
                rows.beforeFirst();
            }
        }
    }

    @Test
    void statementsOfOneSessionAreReadInTurns() throws SQLException {
        try (Statement one = session.connection().createStatement();
                Statement two = session.connection().createStatement();
                ResultSet up = one.executeQuery("select explode(array(1, 2, 3)) as a");
                ResultSet down = two.executeQuery("select explode(array(3, 2, 1)) as a")) {
            while (up.next()) {
                assertThat(down.next()).isTrue();
                assertThat(up.getInt(1) + down.getInt(1)).isEqualTo(4);
            }
            assertThat(down.next()).isFalse();
        }
    }

    @Test
    void commandsHaveNoResult() throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            assertThat(statement.execute("create table t (a int)")).isFalse();
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.executeUpdate("insert into t values (1), (2)")).isIn(-1, 0, 2);
            assertThat(statement.execute("select * from t order by a")).isTrue();
            assertThat(rows(statement.getResultSet())).containsExactly(List.of(1), List.of(2));
            assertThat(statement.execute("show tables")).isTrue();
            assertThat(rows(statement.getResultSet())).containsExactly(List.of("t"));
            assertThat((Object) statement.getWarnings()).isNull();
        }
    }

    @Test
    void errorsArriveWithStateCodeAndText() throws SQLException {
        refused("select * from nope", "42S02", 10001, "nope");
        refused("insert into nope values (1)", "42S02", 10001, "nope");
        refused("selec 1", "42000", 40000, "selec");
        assertThat(session.query("select 1")).containsExactly(List.of(1));
    }

    @Test
    void errorsOfRunningQueriesArriveWithText() throws SQLException {
        assertThatThrownBy(() -> session.query("select assert_true(a < 2) from (select explode(array(1, 2)) as a) t"))
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getMessage()).contains("ASSERT_TRUE");
                    assertThat(e.getErrorCode()).isNotZero();
                });
        assertThat(session.query("select 1")).containsExactly(List.of(1));
    }

    @Test
    void metadataErrorsArriveWithText() throws SQLException {
        try (Statement statement = session.connection().createStatement();
                ResultSet row = statement.executeQuery("select 1 as one")) {
            assertThat(row.next()).isTrue();
            assertThatThrownBy(() -> row.getInt("two")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> row.getInt(2)).isInstanceOf(SQLException.class);
            assertThat(row.getInt("one")).isEqualTo(1);
        }
    }

    private void refused(String sql, String state, int code, String text) throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql)).isInstanceOfSatisfying(SQLException.class, e -> {
                assertThat(e.getSQLState()).isEqualTo(state);
                assertThat(e.getErrorCode()).isEqualTo(code);
                assertThat(e.getMessage()).contains(text);
            });
        }
    }

    /** Starts the query asynchronously: the drivers' cancel does nothing before the server has named the query. */
    @Test
    void cancelEndsAQuery() throws Exception {
        makeNumbers();
        try (Statement statement = session.connection().createStatement()) {
            executeAsync(statement, longQuery());
            server.awaitRunning("numbers b");
            statement.cancel();
            server.awaitThat(
                    "the query has ended",
                    () -> server.server().history().running().stream()
                            .noneMatch(query -> query.state().equals("RUNNING")));
            assertThatThrownBy(() -> rows(statement.getResultSet())).isInstanceOf(SQLException.class);
        }
        assertThat(session.query("select 1")).containsExactly(List.of(1));
    }

    @Test
    void timeLimitsEndAQuery() throws Exception {
        makeNumbers();
        try (Statement statement = session.connection().createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(longQuery())).isInstanceOf(SQLTimeoutException.class);
            statement.setQueryTimeout(0);
            assertThat(rows(statement.executeQuery("select 1"))).containsExactly(List.of(1));
        }
    }

    private void makeNumbers() throws SQLException {
        session.execute("create table numbers stored as orc as " + NUMBERS.formatted(9_999));
    }

    private static String longQuery() {
        return "select count(*) from numbers a cross join numbers b cross join numbers c where a.pos + b.pos < c.pos";
    }

    @Test
    void logsOfAStatementAreRead() throws Exception {
        session.execute("create table t (a int)");
        try (Statement statement = session.connection().createStatement()) {
            statement.execute("insert into t values (1)");
            assertThat(log(statement)).anyMatch(line -> line.contains("insert into t values (1)"));
            assertThat(log(statement)).isEmpty();
        }
    }

    /** Calls a method that all the drivers have in their own classes. */
    @SuppressWarnings("unchecked")
    private static List<String> log(Statement statement) throws ReflectiveOperationException {
        return (List<String>) statement.getClass().getMethod("getQueryLog").invoke(statement);
    }

    @Test
    void asynchronousStatementsAreReadAfterwards() throws Exception {
        try (Statement statement = session.connection().createStatement()) {
            Object hasResult =
                    statement.getClass().getMethod("executeAsync", String.class).invoke(statement, "select 42");
            assertThat(hasResult).isEqualTo(true);
            assertThat(rows(statement.getResultSet())).containsExactly(List.of(42));
        }
    }

    private static boolean executeAsync(Statement statement, String sql) throws ReflectiveOperationException {
        return (boolean)
                statement.getClass().getMethod("executeAsync", String.class).invoke(statement, sql);
    }

    @Test
    void closedStatementsAreRefused() throws SQLException {
        Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery("select 1");
        statement.close();
        assertThat(statement.isClosed()).isTrue();
        assertThatThrownBy(() -> statement.executeQuery("select 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
        statement.close();
    }
}
