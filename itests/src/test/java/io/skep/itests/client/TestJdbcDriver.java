package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.metastore.testing.TestingRelay;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the released Hive JDBC driver against a whole server. */
@ExtendWith(SharedServer.class)
final class TestJdbcDriver {
    private final ReleasedClient client = ReleasedClient.open();
    private Connection connection;

    TestJdbcDriver(TestServer server) throws Exception {
        connection = client.connect(server.jdbcUrl());
    }

    @BeforeEach
    void database() throws SQLException {
        execute("create database if not exists jdbc_test", "use jdbc_test");
    }

    @AfterEach
    void close() throws Exception {
        execute("drop database if exists jdbc_test cascade");
        connection.close();
        client.close();
    }

    @Test
    void allTypesAndNullsOverTheWire() throws SQLException {
        execute(
                "create table t (bo boolean, ti tinyint, si smallint, i int, bi bigint, f float,"
                        + " d double, de decimal(20,4), s string, vc varchar(5), ch char(5), da date,"
                        + " ts timestamp, b binary, a array<int>, m map<string,int>, st struct<x:int,y:string>)"
                        + " stored as orc",
                "insert into t select true, 1Y, -2S, 3, -4L, cast(1.1 as float), 2.5D, 1.5, 'text', 'abc', 'ab',"
                        + " date '2020-02-29', timestamp '2020-01-02 03:04:05.6', cast('bytes' as binary), array(1,2),"
                        + " map('k',1), named_struct('x',1,'y','z')",
                "insert into t select null, null, null, null, null, null, null, null, null, null, null,"
                        + " null, null, null, null, null, null");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select * from t order by i desc")) {
            ResultSetMetaData columns = rows.getMetaData();
            assertThat(rows.next()).isTrue();
            assertThat(values(rows).subList(0, 5)).containsOnlyNulls();
            assertThat(values(rows)).containsOnlyNulls();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getBoolean(1)).isTrue();
            assertThat(rows.getByte(2)).isEqualTo((byte) 1);
            assertThat(rows.getShort(3)).isEqualTo((short) -2);
            assertThat(rows.getInt(4)).isEqualTo(3);
            assertThat(rows.getLong(5)).isEqualTo(-4);
            assertThat(rows.getDouble(6)).isEqualTo(1.1);
            assertThat(rows.getDouble(7)).isEqualTo(2.5);
            assertThat(rows.getBigDecimal(8)).isEqualTo(new BigDecimal("1.5000"));
            assertThat(rows.getString(9)).isEqualTo("text");
            assertThat(rows.getString(10)).isEqualTo("abc");
            assertThat(rows.getString(11)).isEqualTo("ab   ");
            assertThat(rows.getDate(12)).isEqualTo(Date.valueOf("2020-02-29"));
            assertThat(rows.getTimestamp(13)).isEqualTo(Timestamp.valueOf("2020-01-02 03:04:05.6"));
            assertThat(rows.getObject(14)).isEqualTo("bytes".getBytes(StandardCharsets.UTF_8));
            assertThat(rows.getString(15)).isEqualTo("[1,2]");
            assertThat(rows.getString(16)).isEqualTo("{\"k\":1}");
            assertThat(rows.getString(17)).isEqualTo("{\"x\":1,\"y\":\"z\"}");
            assertThat(rows.next()).isFalse();
            assertThat(columns.getColumnType(8)).isEqualTo(Types.DECIMAL);
            assertThat(columns.getPrecision(8)).isEqualTo(20);
            assertThat(columns.getScale(8)).isEqualTo(4);
            assertThat(columns.getColumnDisplaySize(11)).isEqualTo(5);
        }
    }

    @Test
    void pagesOfAResultComeWhole() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(7);
            try (ResultSet rows = statement.executeQuery(
                    "select pos from (select posexplode(split(space(99), ' ')) as (pos, v)) t")) {
                long sum = 0;
                int count = 0;
                while (rows.next()) {
                    sum += rows.getInt(1);
                    count++;
                }
                assertThat(count).isEqualTo(100);
                assertThat(sum).isEqualTo(4950);
            }
        }
    }

    @Test
    void preparedStatementsTakeParameters() throws SQLException {
        String sql = "select concat(?, '!'), ? + 1, cast(? as decimal(5,2)), ? is null, cast(? as date)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, "it's");
            statement.setInt(2, 41);
            statement.setBigDecimal(3, new BigDecimal("1.25"));
            statement.setNull(4, Types.INTEGER);
            statement.setDate(5, Date.valueOf("2021-05-06"));
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(values(rows))
                        .containsExactly("it's!", 42, new BigDecimal("1.25"), true, Date.valueOf("2021-05-06"));
            }
        }
    }

    @Test
    void metadataOfTablesAndColumns() throws SQLException {
        execute("create table people (id int comment 'key', name varchar(20), price decimal(10,2))");
        DatabaseMetaData metadata = connection.getMetaData();
        assertThat(metadata.getDatabaseProductName()).isEqualTo("Apache Hive");
        assertThat(rows(metadata.getSchemas(), 1)).contains(List.of("default"), List.of("jdbc_test"));
        assertThat(rows(metadata.getCatalogs(), 1)).isEmpty();
        assertThat(rows(metadata.getTableTypes(), 1)).contains(List.of("TABLE"), List.of("VIEW"));
        assertThat(rows(metadata.getTables(null, "jdbc\\_test", "peo%", new String[] {"TABLE"}), 2, 3, 4))
                .containsExactly(List.of("jdbc_test", "people", "TABLE"));
        assertThat(rows(metadata.getTables(null, "jdbc_test", "%", new String[] {"VIEW"}), 3))
                .isEmpty();
        assertThat(rows(metadata.getColumns(null, "jdbc_test", "people", "%"), 4, 5, 6, 7, 9, 12, 17))
                .containsExactly(
                        Arrays.asList("id", Types.INTEGER, "INT", 10, 0, "key", 1),
                        Arrays.asList("name", Types.VARCHAR, "VARCHAR", 20, null, null, 2),
                        Arrays.asList("price", Types.DECIMAL, "DECIMAL", 10, 2, null, 3));
        assertThat(rows(metadata.getFunctions(null, null, "conca%"), 3))
                .contains(List.of("concat"), List.of("concat_ws"));
        assertThat(rows(metadata.getTypeInfo(), 1, 2))
                .contains(List.of("DECIMAL", Types.DECIMAL), List.of("INT", Types.INTEGER));
        assertThat(rows(metadata.getPrimaryKeys(null, "jdbc_test", "people"), 4))
                .isEmpty();
    }

    @Test
    void scrollableStatementsReadTheirResultAgain() throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery("select explode(array(3, 1, 2)) as a")) {
            for (int round = 0; round < 3; round++) {
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

    /** Tests that later batches do not change the retained ones. */
    @Test
    void retainedBatchesKeepTheirRows() throws SQLException {
        execute("create table numbers stored as orc as select i, cast(i * 7 as string) as t "
                + "from (select posexplode(split(space(20000), ' ')) as (i, x)) n");
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery("select i, t from numbers where i % 3 <> 1")) {
            List<List<Object>> first = new ArrayList<>();
            while (rows.next()) {
                first.add(List.of(rows.getInt(1), rows.getString(2)));
            }
            assertThat(first)
                    .hasSizeGreaterThan(13_000)
                    .allMatch(row -> row.get(1).equals(Integer.toString(7 * (int) row.get(0))));
            rows.beforeFirst();
            for (List<Object> expected : first) {
                assertThat(rows.next()).isTrue();
                assertThat(List.<Object>of(rows.getInt(1), rows.getString(2))).isEqualTo(expected);
            }
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void keysOfTables() throws SQLException {
        execute("create table parents (id int, region int, name string, "
                + "constraint parents_key primary key (region, id) disable novalidate rely)");
        execute("create table children (id int, parent int, region int not null disable novalidate, "
                + "constraint to_parents foreign key (region, parent) references parents (region, id) "
                + "disable novalidate)");
        DatabaseMetaData metadata = connection.getMetaData();
        assertThat(rows(metadata.getPrimaryKeys(null, "jdbc_test", "parents"), 2, 3, 4, 5, 6))
                .containsExactly(
                        List.of("jdbc_test", "parents", "region", 1, "parents_key"),
                        List.of("jdbc_test", "parents", "id", 2, "parents_key"));
        assertThat(rows(metadata.getPrimaryKeys(null, "jdbc_test", "children"), 4))
                .isEmpty();
        assertThat(rows(metadata.getPrimaryKeys(null, "jdbc_test", "nowhere"), 4))
                .isEmpty();
        List<List<Object>> reference = List.of(
                List.of(
                        "jdbc_test",
                        "parents",
                        "region",
                        "jdbc_test",
                        "children",
                        "region",
                        1,
                        "to_parents",
                        "parents_key"),
                List.of(
                        "jdbc_test",
                        "parents",
                        "id",
                        "jdbc_test",
                        "children",
                        "parent",
                        2,
                        "to_parents",
                        "parents_key"));
        int[] columns = {2, 3, 4, 6, 7, 8, 9, 12, 13};
        assertThat(rows(
                        metadata.getCrossReference(null, "jdbc_test", "parents", null, "jdbc_test", "children"),
                        columns))
                .isEqualTo(reference);
        assertThat(rows(metadata.getCrossReference(null, null, null, null, "jdbc_test", "children"), columns))
                .isEqualTo(reference);
        assertThat(rows(metadata.getCrossReference(null, "jdbc_test", "parents", null, null, null), columns))
                .isEqualTo(reference);
        assertThat(rows(
                        metadata.getCrossReference(null, "jdbc_test", "children", null, "jdbc_test", "parents"),
                        columns))
                .isEmpty();
        assertThat(rows(metadata.getColumns(null, "jdbc_test", "parents", "%"), 4, 11, 18))
                .containsExactly(List.of("id", 0, "NO"), List.of("region", 0, "NO"), List.of("name", 1, "YES"));
    }

    @Test
    void typesOfTablesAsTheSessionMapsThem() throws SQLException {
        execute("create table kept (id int)");
        execute("create external table outside (id int)");
        execute("create view seen as select * from kept");
        DatabaseMetaData metadata = connection.getMetaData();
        assertThat(rows(metadata.getTables(null, "jdbc_test", "%", null), 3, 4))
                .containsExactlyInAnyOrder(
                        List.of("kept", "TABLE"), List.of("outside", "TABLE"), List.of("seen", "VIEW"));
        assertThat(rows(metadata.getTables(null, "jdbc_test", "%", new String[] {"EXTERNAL_TABLE"}), 3))
                .containsExactly(List.of("outside"));
        execute("set hive.server2.table.type.mapping=HIVE");
        try {
            assertThat(rows(metadata.getTables(null, "jdbc_test", "%", null), 3, 4))
                    .containsExactlyInAnyOrder(
                            List.of("kept", "MANAGED_TABLE"),
                            List.of("outside", "EXTERNAL_TABLE"),
                            List.of("seen", "VIRTUAL_VIEW"));
            assertThat(rows(metadata.getTableTypes(), 1))
                    .contains(List.of("MANAGED_TABLE"), List.of("EXTERNAL_TABLE"), List.of("VIRTUAL_VIEW"));
        } finally {
            execute("set hive.server2.table.type.mapping=CLASSIC");
        }
    }

    @Test
    void nullsAreSortedAsTheSessionSaid() throws SQLException {
        assertThat(connection.getMetaData().nullsAreSortedHigh()).isTrue();
        assertThat(connection.getMetaData().nullsAreSortedLow()).isFalse();
    }

    @Test
    void errorsHaveCodesAndTheSessionGoesOn() throws SQLException {
        refused("selec 1", "42000", 40000);
        refused("select x from (select 1 as a) t", "42000", 10004);
        refused("select * from nowhere", "42S02", 10001);
        refused("select * from no_database.t", "42S02", 10001);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 1")) {
            assertThat(rows.next()).isTrue();
        }
    }

    private void refused(String sql, String state, int code) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery(sql)).isInstanceOfSatisfying(SQLException.class, e -> {
                assertThat(e.getSQLState()).isEqualTo(state);
                assertThat(e.getErrorCode()).isEqualTo(code);
                assertThat(e.getMessage()).containsIgnoringCase("line 1:");
            });
        }
    }

    @Test
    void aClientThatVanishesLeavesNothing(TestServer server) throws Exception {
        try (TestingRelay relay = new TestingRelay(server.port())) {
            Connection other = client.connect("jdbc:hive2://127.0.0.1:" + relay.port() + "/jdbc_test");
            Statement statement = other.createStatement();
            statement.setFetchSize(1);
            ResultSet rows = statement.executeQuery(
                    "select pos from (select posexplode(split(space(9999), ' ')) as (pos, v)) t");
            assertThat(rows.next()).isTrue();
            assertThat(server.server().sessions().all()).hasSize(2);
            relay.cut();
            server.awaitSessions(1);
            assertThatThrownBy(() -> statement.executeQuery("select 1")).isInstanceOf(SQLException.class);
        }
        assertThat(server.server().snapshot().leftovers()).isEmpty();
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<Object> values(ResultSet rows) throws SQLException {
        List<Object> values = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            values.add(rows.getObject(i));
        }
        return values;
    }

    private static List<List<Object>> rows(ResultSet rows, int... columns) throws SQLException {
        List<List<Object>> all = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                List<Object> row = new ArrayList<>();
                for (int column : columns) {
                    row.add(rows.getObject(column));
                }
                all.add(row);
            }
        }
        return all;
    }
}
