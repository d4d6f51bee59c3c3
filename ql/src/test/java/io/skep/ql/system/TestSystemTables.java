package io.skep.ql.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.RowRequest;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of system tables, and statements that would change them. Results are cached where they may be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSystemTables {
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = TestingEngine.of(PlanningLimits.DEFAULT, Map.of("hive.query.results.cache.enabled", "true"));
        session = engine.session("ann");
    }

    @AfterAll
    void close() throws IOException {
        session.close();
        engine.close();
    }

    @AfterEach
    void clear() throws IOException {
        assertThat(engine.stagingFolders()).isEmpty();
        engine.run(session, "use default");
        engine.clear();
        engine.takeSystemRequests();
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private void run(String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    @Test
    void rowsAreReadAnewForEachRun() {
        run("create database m");
        String query = "select table_name from information_schema.tables where table_schema = 'm' order by 1";
        assertThat(rows(query)).isEmpty();
        run("create table m.a (x int)");
        assertThat(rows(query)).containsExactly("a");
        run("create view m.b as select x from m.a");
        assertThat(rows(query)).containsExactly("a", "b");
        run("drop view m.b", "alter table m.a rename to m.c");
        assertThat(rows(query)).containsExactly("c");
        assertThat(engine.takeSystemRequests()).hasSize(4);
    }

    @Test
    void conditionsLimitWhatIsRead() {
        run("create database m", "create table m.a (x int, y string)", "create table m.b (x int)");
        for (String name : List.of("a", "b")) {
            // The second run has the plan of the first one, with another literal.
            assertThat(rows("select column_name from information_schema.columns where table_schema = 'm'"
                            + " and table_name = '" + name + "' and ordinal_position = 0"))
                    .containsExactly("x");
            RowRequest request = engine.takeSystemRequests().getFirst();
            assertThat(request.conditions())
                    .contains(
                            new RowCondition(1, List.of("m")),
                            new RowCondition(2, List.of(name)),
                            new RowCondition(4, List.of(0L)));
            assertThat(request.columns().stream()
                            .map(column -> request.table().columns().get(column).name()))
                    .containsExactlyInAnyOrder("table_schema", "table_name", "column_name", "ordinal_position");
        }
        assertThat(rows("select count(*) from information_schema.tables where table_name in ('a', 'b')"
                        + " and lower(table_schema) = 'm'"))
                .containsExactly("2");
        assertThat(engine.takeSystemRequests().getFirst().conditions())
                .containsExactly(new RowCondition(2, List.of("a", "b")));
    }

    @Test
    void tablesOfSysBelongTogether() {
        run(
                "create database m",
                "create table m.t (a int comment 'first', b string) partitioned by (k string)",
                "alter table m.t add partition (k = 'x') partition (k = 'y')");
        assertThat(rows("select c.column_name, c.type_name, c.comment from sys.tbls t join sys.dbs d"
                        + " on t.db_id = d.db_id join sys.sds s on t.sd_id = s.sd_id join sys.columns_v2 c"
                        + " on s.cd_id = c.cd_id where d.name = 'm' and t.tbl_name = 't' order by c.integer_idx"))
                .containsExactly("a | int | first", "b | string | NULL");
        assertThat(rows("select k.pkey_name, count(*), max(p.part_name) from sys.partitions p join sys.tbls t"
                        + " on p.tbl_id = t.tbl_id join sys.partition_keys k on k.tbl_id = t.tbl_id"
                        + " where t.tbl_name = 't' group by k.pkey_name"))
                .containsExactly("k | 2 | k=y");
        assertThat(rows("select tbl_type, is_rewrite_enabled from sys.tbls where tbl_name = 't'"))
                .containsExactly("MANAGED_TABLE | 0");
        assertThat(rows("select count(*) from sys.dbs where name not in (select schema_name from"
                        + " information_schema.schemata)"))
                .containsExactly("0");
    }

    @Test
    void rowsCanBeWrittenAndViewed() {
        run("create database m", "create table m.a (x int)", "use m");
        run("create table m.copy as select * from information_schema.tables where table_schema = 'm'");
        assertThat(rows("select table_name, table_type from m.copy")).containsExactly("a | BASE_TABLE");
        run("insert into m.copy select * from information_schema.tables where table_name = 'copy'");
        assertThat(rows("select count(*) from m.copy")).containsExactly("2");
        run("create view m.named as select table_name n from information_schema.tables where table_schema = 'm'");
        assertThat(rows("select n from m.named order by n")).containsExactly("a", "copy", "named");
        assertThat(rows("select table_name, view_definition from information_schema.views"))
                .containsExactly("named | select table_name n from information_schema.tables where table_schema = 'm'");
        run("create table m.alike like sys.dbs");
        assertThat(rows("select count(*) from m.alike")).containsExactly("0");
    }

    @Test
    void metadataStatementsKnowThem() {
        assertThat(rows("show databases")).containsExactly("default");
        assertThat(rows("show tables in sys like 'db%'")).containsExactly("db_privs", "db_version", "dbs");
        run("use information_schema");
        assertThat(rows("show tables")).contains("columns", "schemata", "tables");
        assertThat(rows("select schema_name from schemata")).containsExactly("default");
        assertThat(engine.printed(session, "describe sys.dbs"))
                .containsExactly(
                        "db_id|bigint|",
                        "db_location_uri|string|",
                        "name|string|",
                        "owner_name|string|",
                        "owner_type|string|");
        assertThat(engine.printed(session, "describe formatted sys.dbs")).contains("Database:|sys|");
        assertThat(rows("show columns in sys.cds")).containsExactly("cd_id");
        assertThat(rows("show table extended in sys like 'cds'")).contains("tableName:cds");
        assertThat(rows("describe database information_schema")).hasSize(1);
        assertThat(rows("explain select * from sys.dbs").toString()).contains("sys.dbs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into sys.dbs values (1, 'x', 'x', 'x', 'x')",
                "insert overwrite table sys.cds select 1",
                "from sys.cds insert into sys.cds select cd_id",
                "delete from sys.cds",
                "update sys.cds set cd_id = 1",
                "merge into sys.cds t using sys.cds s on t.cd_id = s.cd_id when matched then delete",
                "load data inpath '/tmp/x' into table sys.cds",
                "truncate table sys.cds",
                "drop table sys.cds",
                "drop table information_schema.tables",
                "alter table sys.cds rename to sys.other",
                "alter table sys.cds add columns (x int)",
                "alter table sys.cds set tblproperties ('a' = 'b')",
                "alter table sys.cds set owner user ann",
                "alter table m.t rename to sys.t",
                "analyze table sys.cds compute statistics",
                "analyze table sys.cds compute statistics for columns",
                "msck repair table sys.cds",
                "create table sys.t (a int)",
                "create temporary table sys.t (a int)",
                "create external table information_schema.t (a int) location '/tmp/x'",
                "create table sys.t as select 1 a",
                "create table sys.t like m.t",
                "create view sys.v as select 1 a",
                "create view information_schema.tables as select 1 a",
                "create function sys.f as 'x.Y'",
                "drop database sys",
                "drop database information_schema cascade",
                "alter database sys set dbproperties ('a' = 'b')",
                "alter database sys set owner user ann",
                "grant select on table sys.cds to user bob",
                "grant select on database sys to user bob",
                "revoke select on table information_schema.tables from user bob",
                "explain insert into sys.cds values (1)"
            })
    void refusesChanges(String statement) {
        run("create database m", "create table m.t (a int)");
        assertThatThrownBy(() -> run(statement))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED))
                .hasMessageContaining("belongs to the system and cannot be changed");
        assertThat(rows("select count(*) from m.t")).containsExactly("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DATABASE_EXISTS | create database sys",
                "NOT_SUPPORTED | lock table sys.cds shared",
                "NOT_SUPPORTED | create materialized view m.v disable rewrite as select cd_id from sys.cds",
                "NOT_SUPPORTED | create materialized view m.v as select cd_id from sys.cds",
                "INVALID_CONSTRAINT | create table m.c (a bigint, foreign key (a) references sys.cds (cd_id)"
                        + " disable novalidate)",
                "NOT_SUPPORTED | show create table sys.cds",
                "NOT_SUPPORTED | show create database information_schema",
                "INVALID_PARTITION | show partitions sys.cds",
                "TABLE_NOT_FOUND | select * from sys.wm_pools"
            })
    void refusesWhatNeedsATableOfTheCatalog(StandardErrorCode code, String statement) {
        run("create database m", "create table m.t (a int)");
        assertThatThrownBy(() -> run(statement))
                .isInstanceOfSatisfying(
                        SkepException.class, error -> assertThat(error.code()).isEqualTo(code));
        assertThat(rows("show tables in m")).containsExactly("t");
    }

    @Test
    void nothingIsLeftOfStatementsThatEndEarly() throws IOException {
        run("create database m", "create table m.a (x int)");
        try (SqlStatement unread = session.compile(new QueryId("unread"), "select * from sys.dbs")) {
            unread.run(line -> {});
        }
        assertThat(engine.stagingFolders()).isEmpty();
        assertThatThrownBy(() -> rows("select assert_true(tbl_id < 0) from sys.tbls"))
                .isInstanceOf(SkepException.class);
        assertThat(engine.stagingFolders()).isEmpty();
        try (SqlStatement cancelled = session.compile(new QueryId("cancelled"), "select * from sys.dbs")) {
            cancelled.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "test"));
            assertThatThrownBy(() -> cancelled.run(line -> {})).isInstanceOf(SkepException.class);
        }
        assertThat(engine.stagingFolders()).isEmpty();
        assertThatThrownBy(() -> run("create table m.b as select assert_true(tbl_id < 0) c from sys.tbls"))
                .isInstanceOf(SkepException.class);
    }

    @Test
    void aReadThatFailsOrIsCancelledLeavesNothing() throws Exception {
        run("create database m", "create table m.a (x int)");
        engine.beforeSystemRows(() -> {
            throw new SkepException(StandardErrorCode.METASTORE_ERROR, "the database is gone");
        });
        assertThatThrownBy(() -> rows("select * from sys.dbs")).hasMessageContaining("the database is gone");
        assertThat(engine.stagingFolders()).isEmpty();
        CountDownLatch reading = new CountDownLatch(1);
        engine.beforeSystemRows(() -> {
            reading.countDown();
            await();
        });
        Throwable failure = engine.cancelled(session, "select * from sys.dbs", reading);
        engine.beforeSystemRows(() -> {});
        assertThat(failure).hasMessageContaining("cancelled by the test");
        Polling.await("the folder is deleted")
                .until(() -> engine.stagingFolders().isEmpty());
        assertThat(rows("select count(*) from sys.tbls")).containsExactly("1");
    }

    /** Waits until the statement's cancellation interrupts the wait, as a read of the database does. */
    private static void await() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "interrupted", e);
        }
    }
}
