package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.AuthorizedServer;
import io.skep.service.flight.FlightServer;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Metadata, updates and sessions of Flight SQL with its released clients: the Arrow Flight JDBC driver, as DBeaver and
 * other tools use it, beside Hive's driver, and ADBC and pyarrow.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestFlightClients {
    private static final Path PYTHON = Path.of(System.getProperty("skep.python", "python"));
    private static final Path DRIVER =
            ReleasedJars.home().resolve("dist/jdbc-drivers/flight-sql-jdbc-driver-18.3.0.jar");

    private AuthorizedServer site;
    private FlightServer port;
    private URLClassLoader loader;
    private Driver driver;
    private Connection hive;
    private Connection flight;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        site = AuthorizedServer.start(
                folder,
                List.of("root", "ann"),
                "secret",
                Map.of("skep.flight.port", "0", "hive.security.authorization.sqlstd.confwhitelist.append", "my\\..*"));
        port = site.server().flight().orElseThrow();
        loader = new URLClassLoader(new URL[] {DRIVER.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        driver = Class.forName("org.apache.arrow.driver.jdbc.ArrowFlightJdbcDriver", true, loader)
                .asSubclass(Driver.class)
                .getDeclaredConstructor()
                .newInstance();
        hive = site.connect("root");
        for (String sql : List.of(
                "create database flown",
                "create external table flown.wide (c_boolean boolean, c_tinyint tinyint, c_smallint smallint,"
                        + " c_int int comment 'a number', c_bigint bigint, c_float float, c_double double,"
                        + " c_decimal decimal(16,7), c_string string, c_varchar varchar(20), c_char char(7),"
                        + " c_date date, c_timestamp timestamp, c_local timestamp with local time zone,"
                        + " c_binary binary, c_array array<int>, c_map map<string,int>,"
                        + " c_struct struct<x:int,y:string>, c_union uniontype<int,string>)"
                        + " comment 'every type' partitioned by (p_day date, p_word string)",
                "create external table flown.parents (id int, name string,"
                        + " constraint parents_key primary key (id) disable novalidate rely)",
                "create external table flown.children (id int, parent int, constraint to_parents"
                        + " foreign key (parent) references flown.parents (id) disable novalidate rely)",
                "create view flown.seen as select c_int, c_decimal, c_array from flown.wide",
                "create table flown.parentsx (id int)",
                "create table flown.filled (n int) stored as orc",
                "grant select (id) on table flown.parents to user ann",
                "grant select on table flown.filled to user ann")) {
            run(hive, sql);
        }
        flight = connect("root");
    }

    private Connection connect(String user) throws SQLException {
        Properties properties = new Properties();
        properties.put("user", user);
        properties.put("password", "secret");
        URI location = port.location();
        Connection connection = driver.connect(
                "jdbc:arrow-flight-sql://127.0.0.1:" + location.getPort() + "/?useEncryption=false", properties);
        if (connection == null) {
            throw new SQLException("the driver does not take the address");
        }
        return connection;
    }

    @AfterAll
    void close() throws Exception {
        flight.close();
        hive.close();
        Polling.await("the end of all reads").until(() -> port.streams().count() == 0);
        site.close();
        loader.close();
    }

    private interface Answer {
        ResultSet of(DatabaseMetaData metadata) throws SQLException;
    }

    /** Returns cells of some columns. NULL and the empty text are the same, as Arrow's driver makes one the other. */
    private static List<String> cells(Connection connection, Answer answer, int... columns) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = answer.of(connection.getMetaData())) {
            while (rows.next()) {
                List<String> line = new ArrayList<>();
                for (int column : columns) {
                    String text = rows.getString(column);
                    line.add(text == null ? "" : text);
                }
                lines.add(String.join("|", line));
            }
        }
        return lines;
    }

    private void same(Answer answer, int... columns) throws SQLException {
        assertThat(cells(flight, answer, columns))
                .as("beside %s", cells(hive, answer, columns))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(cells(hive, answer, columns));
    }

    @Test
    void databasesAndTypesOfTablesAreThoseOfHivesDriver() throws SQLException {
        same(metadata -> metadata.getSchemas(null, null), 1);
        same(metadata -> metadata.getSchemas(null, "flo%"), 1);
        same(DatabaseMetaData::getTableTypes, 1);
        assertThat(cells(flight, DatabaseMetaData::getCatalogs, 1)).isEmpty();
        assertThat(cells(flight, metadata -> metadata.getSchemas(null, "no\\_such%"), 1))
                .isEmpty();
        assertThat(cells(flight, metadata -> metadata.getSchemas("elsewhere", null), 1))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "p%", "parents_", "wide", "WIDE", "%a%e%t%"})
    void tablesAreThoseOfHivesDriver(String pattern) throws SQLException {
        same(metadata -> metadata.getTables(null, "flown", pattern, null), 2, 3, 4);
        same(metadata -> metadata.getTables(null, "f_own", pattern, new String[] {"TABLE"}), 2, 3, 4);
    }

    @Test
    void patternsHaveEscapes() throws SQLException {
        assertThat(cells(flight, metadata -> metadata.getTables(null, "flown", "parents\\_", null), 3))
                .isEmpty();
        assertThat(cells(flight, metadata -> metadata.getTables(null, "flown", null, new String[] {"VIEW"}), 3))
                .containsExactly("seen");
        assertThat(cells(flight, metadata -> metadata.getTables("elsewhere", "flown", "%", null), 3))
                .isEmpty();
    }

    /** Name, type, number of the type, whether NULL is allowed, comment and position. */
    @Test
    void columnsAreThoseOfHivesDriver() throws SQLException {
        for (String table : List.of("parents", "children", "seen", "wide")) {
            same(metadata -> metadata.getColumns(null, "flown", table, "%"), 2, 3, 4, 6, 11, 12, 17, 18);
        }
        same(metadata -> metadata.getColumns(null, "flown", "wide", "c_d%"), 3, 4, 6, 7);
        same(metadata -> metadata.getColumns(null, "flown", "wide", "c_decimal"), 7, 9);
    }

    @Test
    void keysAreThoseOfHivesDriver() throws SQLException {
        same(metadata -> metadata.getPrimaryKeys(null, "flown", "parents"), 2, 3, 4, 5, 6);
        Answer references = metadata -> metadata.getCrossReference(null, "flown", "parents", null, "flown", "children");
        // Arrow's driver has the rules at the end.
        assertThat(cells(flight, references, 2, 3, 4, 6, 7, 8, 9, 12, 13, 10, 11))
                .isEqualTo(cells(hive, references, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13))
                .hasSize(1);
        // Hive's driver asks the server for neither.
        assertThat(cells(flight, metadata -> metadata.getExportedKeys(null, "flown", "parents"), 7, 8, 10))
                .isEqualTo(cells(flight, metadata -> metadata.getImportedKeys(null, "flown", "children"), 7, 8, 10))
                .containsExactly("children|parent|to_parents");
        assertThat(cells(flight, metadata -> metadata.getPrimaryKeys(null, "flown", "children"), 4))
                .isEmpty();
    }

    @Test
    void theServerNamesItself() throws SQLException {
        DatabaseMetaData mine = flight.getMetaData();
        DatabaseMetaData theirs = hive.getMetaData();
        assertThat(mine.getDatabaseProductName()).isEqualTo(theirs.getDatabaseProductName());
        assertThat(mine.getDatabaseProductVersion()).isEqualTo(theirs.getDatabaseProductVersion());
        assertThat(mine.getIdentifierQuoteString()).isEqualTo("`");
        assertThat(mine.getSearchStringEscape()).isEqualTo("\\");
        assertThat(mine.supportsTransactions()).isFalse();
        assertThat(mine.isReadOnly()).isFalse();
        assertThat(mine.getSQLKeywords()).contains("TABLESAMPLE");
    }

    @Test
    void othersSeeWhatTheyMay() throws SQLException {
        try (Connection ann = connect("ann");
                Connection beside = site.connect("ann")) {
            Answer tables = metadata -> metadata.getTables(null, "flown", "%", null);
            assertThat(cells(ann, tables, 3))
                    .containsExactlyInAnyOrder("parents", "filled")
                    .containsExactlyInAnyOrderElementsOf(cells(beside, tables, 3));
            assertThat(cells(ann, metadata -> metadata.getColumns(null, "flown", "wide", "%"), 4))
                    .isEmpty();
            assertThat(cells(ann, metadata -> metadata.getPrimaryKeys(null, "flown", "parentsx"), 4))
                    .isEmpty();
            assertThatThrownBy(() -> update(ann, "drop table flown.filled")).hasMessageContaining("Permission denied");
            assertThatThrownBy(() -> update(ann, "insert into flown.filled values (9)"))
                    .hasMessageContaining("Permission denied");
        }
    }

    private static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet read = statement.executeQuery(sql)) {
            while (read.next()) {
                rows.add(read.getString(1));
            }
        }
        return rows;
    }

    @Test
    void statementsChangeTablesAndTheSessionOfTheConnection() throws SQLException {
        assertThat(update(flight, "create table flown.written (n int, s string) stored as orc"))
                .isZero();
        assertThat(update(flight, "insert into flown.written values (1, 'a'), (2, 'b'), (3, null)"))
                .isEqualTo(3);
        try (PreparedStatement insert = flight.prepareStatement("insert into flown.written values (4, 'd')")) {
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        try (Connection own = connect("root");
                Connection other = connect("root")) {
            update(own, "use flown");
            update(own, "set my.value=5");
            assertThat(rows(own, "select max(n) from written")).containsExactly("4");
            assertThat(rows(own, "select s from written where n = ${hiveconf:my.value} - 3"))
                    .containsExactly("b");
            assertThat(rows(own, "show tables 'w%'")).containsExactlyInAnyOrder("wide", "written");
            assertThat(rows(own, "describe written")).contains("n", "s");
            assertThatThrownBy(() -> rows(other, "select max(n) from written")).hasMessageContaining("Table not found");
            update(own, "create temporary table passing (n int)");
            update(own, "insert into passing values (1)");
            assertThat(rows(own, "select n from passing")).containsExactly("1");
            assertThatThrownBy(() -> rows(own, "select count(n) from passing"))
                    .hasMessageContaining("a session of their own");
        }
        assertThat(rows(hive, "select n from flown.written")).containsExactlyInAnyOrder("1", "2", "3", "4");
        update(flight, "drop table flown.written");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> {
                    try (PreparedStatement statement = flight.prepareStatement("insert into flown.filled values (?)")) {
                        statement.setInt(1, 7);
                        statement.executeUpdate();
                    }
                })
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> update(flight, "insert into flown.nowhere values (1)"))
                .hasMessageContaining("Table not found");
    }

    @Test
    void adbcAndPyarrowDoTheSame() throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), PYTHON + " with ADBC; bin/test makes it");
        Path script = ReleasedJars.home().resolve("itests/src/test/python/test_flightsql_clients.py");
        Process process = new ProcessBuilder(
                        PYTHON.toString(), script.toString(), port.location().toString(), "root", "secret")
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output.lines())
                    .contains("ok objects", "ok types", "ok updates", "ok sessions", "ok cookies", "ok pyarrow");
        } finally {
            process.destroyForcibly();
        }
    }
}
