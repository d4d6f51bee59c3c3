package io.skep.ql.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a PostgreSQL, through Hive's storage handler for JDBC. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestJdbcTables {
    private static final int MANY = 20_000;

    private EmbeddedPostgres database;
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        database = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
        update("create table people (id int, name varchar(20), paid numeric(10,2), born date, seen timestamp,"
                + " score double precision, big bigint, good boolean)");
        update("insert into people values"
                + " (1, 'Ann', 12.50, '1990-02-28', '2026-11-29 01:02:03', 0.5, 9000000000, true),"
                + " (2, 'Bob', -3.25, '1969-12-31', '1969-12-31 23:59:59', -1e30, -1, false),"
                + " (3, null, null, null, null, null, null, null)");
        update("create table many as select n, repeat('x', 100) || n as s from generate_series(1, " + MANY + ") n");
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session("ann");
    }

    @AfterAll
    void close() throws Exception {
        session.close();
        engine.close();
        database.close();
    }

    @AfterEach
    void clear() throws Exception {
        engine.clear();
        assertThat(connections()).isEqualTo("0");
    }

    private void update(String sql) throws SQLException {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number of connections besides the one that asks. */
    private String connections() throws SQLException {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where backend_type = 'client backend' and pid <> pg_backend_pid()")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private void create(String name, String columns, String properties) {
        engine.run(
                session,
                "create external table " + name + " (" + columns + ")"
                        + " stored by 'org.apache.hive.storage.jdbc.JdbcStorageHandler' tblproperties ("
                        + "'hive.sql.database.type'='POSTGRES', 'hive.sql.jdbc.driver'='org.postgresql.Driver',"
                        + "'hive.sql.jdbc.url'='" + database.getJdbcUrl("postgres", "postgres") + "',"
                        + "'hive.sql.dbcp.username'='postgres', 'hive.sql.dbcp.password'='postgres', " + properties
                        + ")");
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    @Test
    void allTypes() {
        create(
                "people",
                "id int, name varchar(20), paid decimal(10,2), born date, seen timestamp, score double, big bigint,"
                        + " good boolean",
                "'hive.sql.table'='people'");
        assertThat(rows("select id, name, cast(paid as string), cast(born as string), cast(seen as string), score, big,"
                        + " cast(good as string) from people order by id"))
                .containsExactly(
                        "1 | Ann | 12.50 | 1990-02-28 | 2026-11-29 01:02:03 | 0.5 | 9000000000 | TRUE",
                        "2 | Bob | -3.25 | 1969-12-31 | 1969-12-31 23:59:59 | -1.0E30 | -1 | FALSE",
                        "3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL");
        assertThat(rows("select name from people where good and paid > 0 and born < date '2000-01-01'"))
                .containsExactly("Ann");
        assertThat(rows("select count(*) from people")).containsExactly("3");
        assertThat(rows("select 1 from people where id = 1")).containsExactly("1");
    }

    @Test
    void aQueryOfTheOtherDatabase() {
        create(
                "sums",
                "initial string, paid decimal(20,2)",
                "'hive.sql.query'='select substr(name, 1, 1) as initial, sum(paid) as paid from people group by 1'");
        engine.run(session, "create table known (initial string, meaning string)");
        engine.run(session, "insert into known values ('A', 'first')");
        assertThat(rows("select k.meaning, cast(s.paid as string) from known k join sums s on k.initial = s.initial"))
                .containsExactly("first | 12.50");
    }

    @Test
    void manyRowsInParts() {
        create(
                "many",
                "n int, s string",
                "'hive.sql.table'='many', 'hive.sql.partitionColumn'='n', 'hive.sql.numPartitions'='3'");
        assertThat(rows("select count(*), sum(n), count(distinct s), max(length(s)) from many"))
                .containsExactly(MANY + " | " + (long) MANY * (MANY + 1) / 2 + " | " + MANY + " | 105");
    }

    @Test
    void whatTheOtherDatabaseRefuses() throws SQLException {
        assertThatThrownBy(() -> create("missing", "n int", "'hive.sql.table'='no_such_table'"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("relation \"no_such_table\" does not exist");
        update("create table short_lived (n int)");
        create("gone", "n int", "'hive.sql.table'='short_lived'");
        update("drop table short_lived");
        assertThatThrownBy(() -> rows("select * from gone"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.STORAGE_HANDLER_FAILED))
                .hasMessageContaining("cannot read default.gone by its storage handler");
    }
}
