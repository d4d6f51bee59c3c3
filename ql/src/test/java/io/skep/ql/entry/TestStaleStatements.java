package io.skep.ql.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Statements that were compiled before another one changed what they are about. They go by what is there when they run. */
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

    /** Runs a statement that was compiled before others ran. */
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
}
