package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests statements that were compiled before another statement changed their objects. They use the state at run time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestStaleStatements {
    private TestingEngine engine;
    private SqlSession session;
    private int statements;

    @BeforeAll
    void open() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private void run(String... statementTexts) {
        for (String sql : statementTexts) {
            engine.run(session, sql);
        }
    }

    /** Compiles a statement and runs it after other statements. */
    private void runAfter(String statement, String... others) {
        try (SqlStatement compiled = session.compile(new QueryId("stale_" + statements++), statement)) {
            run(others);
            compiled.run(line -> {});
        }
    }

    private void assertFails(StandardErrorCode code, String statement, String... others) {
        assertThatThrownBy(() -> runAfter(statement, others))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void countedFilesKeepTheColumnsThatWereAdded() {
        run("create table a (x int) stored as orc", "insert into a values (1)");
        runAfter("analyze table a compute statistics noscan", "alter table a add columns (y int)");
        assertThat(engine.rows(session, "select * from a")).containsExactly("1 | NULL");
    }

    @Test
    void countedRowsKeepTheColumnsThatWereAdded() {
        run("create table b (x int) stored as orc", "insert into b values (1)");
        runAfter("analyze table b compute statistics", "alter table b add columns (y int)");
        assertThat(engine.rows(session, "select * from b")).containsExactly("1 | NULL");
    }

    @Test
    void aViewDoesNotTakeThePlaceOfATable() {
        run("create view c as select 1 x");
        assertFails(
                StandardErrorCode.NOT_A_VIEW,
                "create or replace view c as select 2 x",
                "drop view c",
                "create table c (x int) stored as orc",
                "insert into c values (3)");
        assertThat(engine.rows(session, "select x from c")).containsExactly("3");
    }

    @Test
    void anAlteredViewDoesNotEither() {
        run("create view d as select 1 x");
        assertFails(
                StandardErrorCode.NOT_A_VIEW,
                "alter view d as select 2 x",
                "drop view d",
                "create table d (x int) stored as orc",
                "insert into d values (3)");
        assertThat(engine.rows(session, "select x from d")).containsExactly("3");
    }

    @Test
    void aDirectoryThatHasBecomeATablesIsNotReplaced() throws Exception {
        Path folder = Files.createDirectories(
                engine.data().resolveSibling(engine.data().getFileName() + "-e"));
        try {
            assertFails(
                    StandardErrorCode.INVALID_PATH,
                    "insert overwrite directory '" + folder + "' select 9",
                    "create external table e (x int) stored as orc location '" + folder + "'",
                    "insert into e values (3)");
            assertThat(engine.rows(session, "select x from e")).containsExactly("3");
        } finally {
            run("alter table e set tblproperties ('external.table.purge' = 'true')", "drop table e");
            Files.deleteIfExists(folder);
        }
    }

    @Test
    void rowsThatWereWrittenForOtherDelimitersAreNotCommitted() {
        run("create table f (x int, y int) stored as textfile");
        assertFails(
                StandardErrorCode.TABLE_CHANGED,
                "insert into f values (1, 2)",
                "alter table f set tblproperties ('field.delim' = '|')");
        assertThat(engine.rows(session, "select * from f")).isEmpty();
    }

    @Test
    void propertiesThatNoFileDependsOnMayChange() {
        run("create table g (x int) stored as orc");
        runAfter("insert into g values (1)", "alter table g set tblproperties ('comment' = 'c', 'owner' = 'o')");
        assertThat(engine.rows(session, "select * from g")).containsExactly("1");
    }

    @Test
    void rowsThatWereWrittenForOtherBucketsAreNotCommitted() {
        run("create table h (x int) clustered by (x) into 2 buckets stored as orc");
        assertFails(
                StandardErrorCode.TABLE_CHANGED,
                "insert into h values (1)",
                "alter table h set tblproperties ('bucketing_version' = '1')");
    }

    @Test
    void rowsAreNotCommittedPastANewConstraint() {
        run("create table i (x int) stored as orc");
        assertFails(
                StandardErrorCode.TABLE_CHANGED,
                "insert into i select cast(null as int)",
                "alter table i change column x x int constraint i_nn not null enable");
        run("create table j (x int) stored as orc");
        assertFails(
                StandardErrorCode.TABLE_CHANGED,
                "insert into j values (1)",
                "alter table j add constraint j_c check (x > 5) enable novalidate rely");
        assertThat(engine.rows(session, "select * from j")).isEmpty();
    }

    @Test
    void rowsAreWrittenAsTheirPartitionIsByThen() {
        for (String change : new String[] {"set fileformat orc", "set serdeproperties ('field.delim' = '|')"}) {
            run("drop table if exists k", "create table k (x int, y int) partitioned by (p int) stored as textfile");
            run("alter table k add partition (p = 1)");
            runAfter("insert into k partition (p = 1) values (1, 2)", "alter table k partition (p = 1) " + change);
            assertThat(engine.rows(session, "select * from k")).containsExactly("1 | 2 | 1");
        }
    }

    @Test
    void filesThatHaveBecomeATablesAreNotLoaded() throws Exception {
        Path folder = Files.createDirectories(
                engine.data().resolveSibling(engine.data().getFileName() + "-l"));
        Path file = Files.writeString(folder.resolve("rows"), "3\n");
        try {
            run("create table l (x int) stored as textfile");
            assertFails(
                    StandardErrorCode.INVALID_PATH,
                    "load data inpath 'file:" + folder + "/rows' into table l",
                    "create external table m (x int) stored as textfile location '" + folder + "'");
            assertThat(engine.rows(session, "select x from m")).containsExactly("3");
            assertThat(engine.rows(session, "select x from l")).isEmpty();
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}
