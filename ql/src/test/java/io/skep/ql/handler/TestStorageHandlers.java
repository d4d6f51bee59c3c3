package io.skep.ql.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of a storage handler of this test. Results are cached where they may be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestStorageHandlers {
    private static final String STORED = "stored by '" + CountingHandler.class.getName() + "' ";

    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = TestingEngine.of(PlanningLimits.DEFAULT, Map.of("hive.query.results.cache.enabled", "true"));
        session = engine.session("ann");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    @AfterEach
    void clear() throws IOException {
        assertThat(engine.stagingFolders()).isEmpty();
        CountingHandler.BEFORE_ROW.set(() -> {});
        engine.clear();
        CountingHandler.CALLS.clear();
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private void create(String name, int rows) {
        engine.run(
                session,
                "create external table " + name + " (n int, s string) " + STORED + "tblproperties ('count.rows'='"
                        + rows + "')");
        CountingHandler.CALLS.clear();
    }

    @Test
    void rowsAreReadAnewAndOnlyTheirColumns() {
        create("t", 3);
        assertThat(rows("select * from t order by n"))
                .containsExactly("0 | row0", "1 | row1", "2 | row2", "3 | row3", "4 | row4", "5 | row5");
        assertThat(CountingHandler.CALLS).containsExactly("columns n,s", "closed", "closed");
        CountingHandler.CALLS.clear();
        assertThat(rows("select count(*), sum(n) from t where n > 1")).containsExactly("4 | 14");
        assertThat(CountingHandler.CALLS).containsExactly("columns n", "closed", "closed");
        engine.run(session, "alter table t set tblproperties ('count.rows'='1', 'count.prefix'='r')");
        assertThat(rows("select s from t order by s")).containsExactly("r0", "r1");
        assertThat(rows("select count(*) from t")).containsExactly("2");
        assertThat(rows("select a.n from t a join t b on a.n = b.n + 1")).containsExactly("1");
        assertThat(rows("select n from t tablesample (1 rows)")).hasSize(1);
    }

    @Test
    void aTableWithoutRowsGivesNone() {
        create("t", 0);
        assertThat(rows("select * from t")).isEmpty();
        assertThat(rows("select count(*), max(s) from t")).containsExactly("0 | NULL");
    }

    @Test
    void moreRowsThanABatchHas() {
        create("t", 5000);
        assertThat(rows("select count(*), count(distinct s), min(n), max(n) from t"))
                .containsExactly("10000 | 10000 | 0 | 9999");
        engine.run(session, "create table kept stored as orc as select * from t");
        assertThat(rows("select count(*) from kept k join t on k.n = t.n and k.s = t.s"))
                .containsExactly("10000");
    }

    /** Hive marks the counts of such a table as exact when it creates it, without a row. */
    @Test
    void whatTheMetastoreCountsIsNotBelieved() {
        create("t", 2);
        Table table = engine.catalog().table("default", "t").orElseThrow();
        Map<String, String> counted = new HashMap<>(table.properties());
        counted.putAll(Map.of("numRows", "0", "numFiles", "0", "COLUMN_STATS_ACCURATE", "{\"BASIC_STATS\":\"true\"}"));
        engine.catalog().alterTable("default", "t", table.withProperties(counted), false);
        assertThat(rows("select count(*) from t")).containsExactly("4");
        assertThat(rows("select count(*), max(n) from t")).containsExactly("4 | 3");
    }

    @Test
    void hooksAreCalled() {
        engine.run(session, "create external table t (n int, s string) " + STORED);
        assertThat(CountingHandler.CALLS).containsExactly("create t", "created t");
        assertThat(rows("show tblproperties t('count.splits')")).containsExactly("count.splits | 2");
        assertThatThrownBy(() -> engine.run(session, "create table refused (n int) " + STORED))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.STORAGE_HANDLER_FAILED))
                .hasMessageContaining("the other system does not want it");
        engine.run(session, "create table managed (n int) " + STORED);
        CountingHandler.CALLS.clear();
        engine.run(session, "drop table t");
        engine.run(session, "drop table managed");
        assertThat(CountingHandler.CALLS)
                .containsExactly("drop t", "dropped t", "drop managed", "dropped managed with its data");
        assertThat(rows("show tables")).isEmpty();
    }

    /** Another engine on the same metastore has made the tables. */
    @Test
    void withoutTheClassOfTheHandler() {
        create("t", 1);
        engine.run(session, "create table managed (n int) " + STORED);
        name("t", "no.such.Handler");
        name("managed", "no.such.Handler");
        assertThatThrownBy(() -> rows("select * from t"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Cannot find class 'no.such.Handler'");
        assertThat(rows("describe t")).hasSize(2);
        engine.run(session, "drop table t");
        assertThatThrownBy(() -> engine.run(session, "drop table managed"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.STORAGE_HANDLER_FAILED));
        assertThat(rows("show tables")).containsExactly("managed");
        name("managed", CountingHandler.class.getName());
    }

    private void name(String name, String handler) {
        Table table = engine.catalog().table("default", name).orElseThrow();
        Map<String, String> properties = new HashMap<>(table.properties());
        properties.put(Table.STORAGE_HANDLER, handler);
        engine.catalog().alterTable("default", name, table.withProperties(properties), false);
    }

    @Test
    void isShownAsHiveShowsIt() {
        create("t", 1);
        assertThat(String.join("\n", rows("show create table t")))
                .startsWith("CREATE EXTERNAL TABLE `t`(\n  `n` int, \n  `s` string)\nROW FORMAT SERDE \n"
                        + "  'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe' \nSTORED BY \n  '"
                        + CountingHandler.class.getName()
                        + "' \nWITH SERDEPROPERTIES ( \n  'serialization.format'='1')\nLOCATION\n")
                .contains("'count.rows'='1'")
                .doesNotContain("storage_handler");
        assertThat(rows("describe formatted t"))
                .anyMatch(row -> row.matches("InputFormat: *\\| null *\\| NULL"))
                .anyMatch(row -> row.contains("storage_handler"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "insert into t values (1, 'a'); INSERT is not supported for default.t",
                "insert overwrite table t select 1, 'a'; INSERT is not supported for default.t",
                "load data local inpath '/' into table t; A non-native table cannot be used as target for LOAD",
                "truncate table t force; Cannot truncate non-native table t.",
                "analyze table t compute statistics; ANALYZE is not supported for default.t",
                "analyze table t compute statistics for columns; ANALYZE is not supported for default.t",
                "analyze table t compute statistics noscan; ANALYZE TABLE NOSCAN cannot be used for a non-native table",
                "export table t to '/exported'; EXPORT is not supported for default.t",
                "alter table t concatenate; Concatenate/Merge can not be performed on non-native tables",
                "alter table t rename to u; ALTER TABLE can only be used for",
                "alter table t set fileformat orc; ALTER TABLE can only be used for",
                "alter table t set location '/x'; ALTER TABLE can only be used for",
                "alter table t compact 'major'; ALTER TABLE can only be used for",
                "alter table t change n m int; ALTER TABLE can only be used for",
                "alter table t set tblproperties ('storage_handler'='x.Y'); storage_handler of a table cannot change",
                "alter table t unset tblproperties ('storage_handler'); storage_handler of a table cannot change",
                "alter table plain set tblproperties ('storage_handler'='x'); storage_handler of a table cannot change",
                "create materialized view v as select n from t; a materialized view cannot read default.t",
                "update t set n = 1; table t that is not transactional",
                "delete from t; Cannot truncate non-native table t.",
                "delete from t where n = 1; table t that is not transactional"
            })
    void statementsThatAreNotForThem(String sql, String message) {
        create("t", 1);
        engine.run(session, "create table plain (a int)");
        assertThatThrownBy(() -> engine.run(session, sql))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(message);
        assertThat(rows("select * from t")).containsExactlyInAnyOrder("0 | row0", "1 | row1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t (n int) stored by 'no.such.Handler' | Cannot find class 'no.such.Handler'",
                "create table t (n int) stored by 'java.lang.String' | java.lang.String is not a storage handler",
                "create table t (n int) stored by iceberg | "
                        + "Cannot find class 'org.apache.iceberg.mr.hive.HiveIcebergStorageHandler'",
                "create table t (n int) stored by '%s' stored as orc | STORED AS is not supported for storage handler",
                "create table t stored by '%s' as select 1 n | CREATE TABLE AS SELECT cannot be used for a non-native",
                "create temporary table t (n int) stored by '%s' | TEMPORARY is not supported with STORED BY",
                "create table t (n int) partitioned by (p int) stored by '%s' | PARTITIONED BY is not supported with",
                "create table t (n int) clustered by (n) into 2 buckets stored by '%s' | CLUSTERED BY and SKEWED BY",
                "create table t (n int) stored by '%s' tblproperties ('transactional'='true') | TRANSACTIONAL is not",
                "create transactional table t (n int) stored by '%s' | TRANSACTIONAL is not supported with STORED BY",
                "create table t (n int) tblproperties ('storage_handler'='%s') | storage_handler"
            })
    void clausesThatDoNotGoTogether(String text) {
        String sql = text.split(" \\| ")[0].replace("%s", CountingHandler.class.getName());
        assertThatThrownBy(() -> engine.run(session, sql))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(text.split(" \\| ")[1]);
        assertThat(rows("show tables")).isEmpty();
    }

    @Test
    void aCopyOfTheDefinitionHasFilesOfItsOwn() {
        create("t", 1);
        engine.run(session, "create table copied like t");
        engine.run(session, "insert into copied select * from t");
        assertThat(rows("select * from copied")).containsExactlyInAnyOrder("0 | row0", "1 | row1");
        engine.run(session, "alter table t add columns (x int)");
        assertThat(rows("select * from t")).containsExactlyInAnyOrder("0 | row0 | NULL", "1 | row1 | NULL");
    }

    /** A handler reads with the rights of the server, and its properties may have passwords. */
    @Test
    void onlyAdminsSayWhereAHandlerReads() {
        try (TestingEngine guarded = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession admin = guarded.session("root");
                SqlSession ann = guarded.session("ann")) {
            String create = "create external table t (n int, s string) " + STORED
                    + "tblproperties ('count.rows'='1', 'count.password'='pw1')";
            String alter = "alter table t set tblproperties ('count.rows'='2')";
            guarded.run(admin, "set role admin");
            guarded.run(admin, "create database ann");
            guarded.run(admin, "alter database ann set owner user ann");
            denied(() -> guarded.run(ann, create.replace(" t ", " ann.t ")));
            guarded.run(ann, "create table ann.t (n int)");
            guarded.run(admin, create);
            denied(() -> guarded.rows(ann, "select n from t"));
            guarded.run(admin, "grant select on table t to user ann");
            assertThat(guarded.rows(ann, "select n from t order by n")).containsExactly("0", "1");
            denied(() -> guarded.run(ann, alter));
            guarded.run(admin, "alter table t set owner user ann");
            denied(() -> guarded.run(ann, alter));
            guarded.run(admin, "alter table t set owner user root");
            guarded.run(admin, alter);
            assertThat(guarded.rows(ann, "describe formatted t"))
                    .anyMatch(row -> row.contains("count.rows"))
                    .noneMatch(row -> row.contains("pw1"));
            assertThat(guarded.rows(ann, "show tblproperties t")).contains("count.password | (hidden)");
            assertThat(guarded.rows(admin, "show tblproperties t")).contains("count.password | pw1");
        }
    }

    private static void denied(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }

    @Test
    void aReaderThatFailsLeavesNothing() throws IOException {
        create("t", 2000);
        AtomicInteger read = new AtomicInteger();
        CountingHandler.BEFORE_ROW.set(() -> {
            if (read.incrementAndGet() == 3000) {
                throw new IllegalStateException("the other system is gone");
            }
        });
        assertThatThrownBy(() -> rows("select * from t"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.STORAGE_HANDLER_FAILED))
                .hasMessageContaining("cannot read default.t by its storage handler")
                .hasMessageContaining("the other system is gone");
        assertThat(CountingHandler.CALLS).endsWith("closed", "closed");
        assertThat(engine.stagingFolders()).isEmpty();
        assertThat(rows("select count(*) from t")).containsExactly("4000");
    }

    @Test
    void aReadThatIsCancelledLeavesNothing() throws Exception {
        create("t", 2000);
        CountDownLatch reading = new CountDownLatch(1);
        CountingHandler.BEFORE_ROW.set(() -> {
            reading.countDown();
            waitForever();
        });
        Throwable failure = engine.cancelled(session, "select * from t", reading);
        assertThat(failure).hasMessageContaining("cancelled by the test");
        Polling.await("the folder is deleted")
                .until(() -> engine.stagingFolders().isEmpty());
        Polling.await("the reader is closed").until(() -> CountingHandler.CALLS.contains("closed"));
    }

    /** Waits until the statement's cancellation interrupts the wait, as a read from a socket does. */
    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
