package io.skep.itests.client;

import static io.skep.itests.client.DriverSession.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what each released driver reads and how it sets parameters. */
@ExtendWith(SharedServer.class)
@ParameterizedClass
@EnumSource(ReleasedDriver.class)
final class TestDriverTypes {
    private static final String VALUES = "select true as bo, 1Y as ti, -2S as si, 3 as i, -4L as bi,"
            + " cast(1.1 as float) as f, 2.5D as d, cast(1.5 as decimal(20,4)) as de, 'text' as s,"
            + " cast('abc' as varchar(5)) as vc, cast('ab' as char(5)) as ch, date '2020-02-29' as da,"
            + " timestamp '2020-01-02 03:04:05.6' as ts, cast('bytes' as binary) as b, array(1, 2) as a,"
            + " map('k', 1) as m, named_struct('x', 1, 'y', 'z') as st, interval '1-2' year to month as ym,"
            + " interval '3 04:05:06' day to second as dt";

    private final ReleasedDriver driver;
    private final DriverSession session;

    TestDriverTypes(ReleasedDriver driver, TestServer server) throws Exception {
        this.driver = driver;
        session = DriverSession.open(driver, server.jdbcUrl(), "driver_types");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    @Test
    void objectsOfEachType() throws SQLException {
        List<Object> row = session.query(VALUES).getFirst();
        assertThat(row.subList(0, 13))
                .containsExactly(
                        true,
                        (byte) 1,
                        (short) -2,
                        3,
                        -4L,
                        1.1,
                        2.5,
                        new BigDecimal("1.5000"),
                        "text",
                        "abc",
                        "ab   ",
                        Date.valueOf("2020-02-29"),
                        Timestamp.valueOf("2020-01-02 03:04:05.6"));
        assertThat(row.get(13)).isEqualTo("bytes".getBytes(StandardCharsets.UTF_8));
        assertThat(row.subList(14, 17)).containsExactly("[1,2]", "{\"k\":1}", "{\"x\":1,\"y\":\"z\"}");
        assertThat(row.subList(17, 19)).extracting(Object::toString).containsExactly("1-2", "3 04:05:06.000000000");
    }

    @Test
    void gettersConvert() throws SQLException {
        try (Statement statement = session.connection().createStatement();
                ResultSet row = statement.executeQuery(VALUES)) {
            assertThat(row.next()).isTrue();
            assertThat(row.getBoolean("bo")).isTrue();
            assertThat(row.getByte("ti")).isEqualTo((byte) 1);
            assertThat(row.getShort("si")).isEqualTo((short) -2);
            assertThat(row.getInt("i")).isEqualTo(3);
            assertThat(row.getLong("i")).isEqualTo(3);
            assertThat(row.getLong("bi")).isEqualTo(-4);
            assertThat(row.getDouble("f")).isEqualTo(1.1);
            assertThat(row.getBigDecimal("de")).isEqualByComparingTo("1.5");
            assertThat(row.getString("i")).isEqualTo("3");
            assertThat(row.getString("de")).isEqualTo("1.5000");
            assertThat(row.getString("da")).isEqualTo("2020-02-29");
            assertThat(row.getDate("da")).isEqualTo(Date.valueOf("2020-02-29"));
            assertThat(row.getTimestamp("ts")).isEqualTo(Timestamp.valueOf("2020-01-02 03:04:05.6"));
            assertThat(row.getString("b")).isEqualTo("bytes");
            assertThat(row.getString("ym")).isEqualTo("1-2");
            assertThat(row.findColumn("st")).isEqualTo(17);
            assertThat(row.wasNull()).isFalse();
            assertThat(row.next()).isFalse();
        }
    }

    @Test
    void nullsOfEachType() throws SQLException {
        session.execute("create table t stored as orc as " + VALUES.substring(0, VALUES.indexOf(", interval")));
        String nulls = String.join(", ", Collections.nCopies(17, "null"));
        session.execute("insert into t select " + nulls);
        try (Statement statement = session.connection().createStatement();
                ResultSet row = statement.executeQuery("select * from t where i is null")) {
            assertThat(row.next()).isTrue();
            for (int i = 1; i <= 17; i++) {
                assertThat(row.getObject(i)).as("column %s", i).isNull();
                assertThat(row.wasNull()).as("column %s", i).isTrue();
            }
            assertThat(row.getInt("i")).isZero();
            assertThat(row.getString("s")).isNull();
        }
    }

    @Test
    void columnsAreDescribed() throws SQLException {
        try (Statement statement = session.connection().createStatement();
                ResultSet row = statement.executeQuery(VALUES)) {
            ResultSetMetaData columns = row.getMetaData();
            assertThat(columns.getColumnCount()).isEqualTo(19);
            List<Integer> types = new ArrayList<>();
            for (int i = 1; i <= 17; i++) {
                types.add(columns.getColumnType(i));
            }
            assertThat(types)
                    .containsExactly(
                            Types.BOOLEAN,
                            Types.TINYINT,
                            Types.SMALLINT,
                            Types.INTEGER,
                            Types.BIGINT,
                            Types.FLOAT,
                            Types.DOUBLE,
                            Types.DECIMAL,
                            Types.VARCHAR,
                            Types.VARCHAR,
                            Types.CHAR,
                            Types.DATE,
                            Types.TIMESTAMP,
                            Types.BINARY,
                            Types.ARRAY,
                            Types.JAVA_OBJECT,
                            Types.STRUCT);
            assertThat(columns.getColumnName(8)).isEqualTo("de");
            assertThat(columns.getColumnLabel(9)).isEqualTo("s");
            assertThat(columns.getColumnTypeName(8)).isEqualTo("decimal");
            assertThat(columns.getColumnTypeName(15)).isEqualTo("array");
            assertThat(columns.getPrecision(8)).isEqualTo(20);
            assertThat(columns.getScale(8)).isEqualTo(4);
            assertThat(columns.getColumnDisplaySize(10)).isEqualTo(5);
            assertThat(columns.getColumnClassName(4)).isEqualTo("java.lang.Integer");
            assertThat(columns.isNullable(1)).isEqualTo(ResultSetMetaData.columnNullable);
        }
    }

    /** The driver of Hive 2 does not know the type: it loses its place in the answer and then waits for more. */
    @Test
    void timestampsWithTimeZone() throws SQLException {
        assumeFalse(driver == ReleasedDriver.HIVE_2, "a type that Hive 2 does not have");
        assertThat(session.query("select cast('2020-01-02 03:04:05 UTC' as timestamp with local time zone) as t"))
                .singleElement()
                .asString()
                .startsWith("[2020-01-02 03:04:05.0 ");
    }

    @Test
    void textsOfAnyLengthAndScript() throws SQLException {
        assertThat(session.query("select 'grüße, 世界 \\u0001 🙂', '', repeat('ab', 1000000)")
                        .getFirst())
                .containsExactly("grüße, 世界 \u0001 🙂", "", "ab".repeat(1_000_000));
    }

    @Test
    void numbersAtTheirBounds() throws SQLException {
        assertThat(session.query("select -128Y, 32767S, -2147483647 - 1, 9223372036854775807L,"
                                + " cast('99999999999999999999999999999999999999' as decimal(38,0)),"
                                + " cast('NaN' as double), cast('-Infinity' as double)")
                        .getFirst())
                .containsExactly(
                        (byte) -128,
                        (short) 32767,
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        new BigDecimal("9".repeat(38)),
                        Double.NaN,
                        Double.NEGATIVE_INFINITY);
    }

    @Test
    void parametersOfEachKind() throws SQLException {
        String sql = "select concat(?, '!'), ? + 1, cast(? as decimal(5,2)), ? is null, cast(? as date), ?, ?, ?, ?, ?,"
                + " cast(? as timestamp), 'not ? one'";
        try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
            statement.setString(1, "it's \\ \"?\" ");
            statement.setInt(2, 41);
            statement.setBigDecimal(3, new BigDecimal("1.25"));
            statement.setNull(4, Types.INTEGER);
            statement.setDate(5, Date.valueOf("2021-05-06"));
            statement.setBoolean(6, true);
            statement.setLong(7, 5_000_000_000L);
            statement.setDouble(8, 0.5);
            statement.setShort(9, (short) 7);
            statement.setByte(10, (byte) 8);
            statement.setTimestamp(11, Timestamp.valueOf("2021-05-06 07:08:09.5"));
            List<Object> row = rows(statement.executeQuery()).getFirst();
            assertThat(row.subList(1, 5)).containsExactly(42, new BigDecimal("1.25"), true, Date.valueOf("2021-05-06"));
            assertThat(row.get(5)).isEqualTo(true);
            assertThat(row.subList(6, 10))
                    .extracting(value -> ((Number) value).doubleValue())
                    .containsExactly(5e9, 0.5, 7.0, 8.0);
            assertThat(row.get(10)).isEqualTo(Timestamp.valueOf("2021-05-06 07:08:09.5"));
            assertThat(row.get(11)).isEqualTo("not ? one");
        }
    }

    @Test
    void preparedStatementsRunAgainWithOtherValues() throws SQLException {
        session.execute("create table people (id int, name string)");
        try (PreparedStatement insert = session.connection().prepareStatement("insert into people values (?, ?)")) {
            for (int id = 1; id <= 3; id++) {
                insert.setInt(1, id);
                insert.setString(2, "o'" + id + "); drop table people");
                insert.executeUpdate();
                insert.clearParameters();
            }
            assertThatThrownBy(insert::executeUpdate).isInstanceOf(SQLException.class);
        }
        try (PreparedStatement select =
                session.connection().prepareStatement("select name from people where id >= ? order by id")) {
            for (int id = 3; id >= 1; id--) {
                select.setInt(1, id);
                assertThat(rows(select.executeQuery()))
                        .hasSize(4 - id)
                        .first()
                        .isEqualTo(List.of("o'" + id + "); drop table people"));
            }
        }
    }
}
