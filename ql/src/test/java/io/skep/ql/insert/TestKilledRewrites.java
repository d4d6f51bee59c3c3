package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.commit.StepFaults;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server fails, dies, or loses its metastore and its files, at a step of a statement that replaces the files of a
 * table. Then the table has the rows of before or those of after, and the statement runs again.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestKilledRewrites {
    private static final int STRIDE = 5;

    @TempDir
    private Path folder;

    private final StepFaults faults = new StepFaults();
    private final TestingEngine engine = TestingEngine.failing(faults);
    private final SqlSession session = engine.session();

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private List<String> rows(String query) {
        return engine.rows(session, query);
    }

    /** Runs a statement that meets a fault. Returns whether it has succeeded. */
    private boolean succeeds(String statement, Fault fault, int step) {
        faults.fail(fault, step);
        try {
            run(statement);
            return true;
        } catch (SkepException | AssertionError e) {
            return false;
        }
    }

    /** A dead server finishes or undoes what was cut off when it starts again. */
    private boolean repair(Fault fault) {
        boolean isReached = faults.isReached();
        faults.repair();
        if (fault == Fault.DEATH) {
            engine.commits().recover();
        }
        return isReached;
    }

    @Test
    void concatenatedFilesHaveAllRowsOnce() throws IOException {
        StepFaults.atSteps("concatenate", STRIDE, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "CONCATENATE fails " + fault + " at step " + step;
            run("drop table if exists parts");
            run("create table parts (a int) stored as rcfile");
            run("insert into parts values (1)");
            run("insert into parts values (2), (3)");
            boolean isDone = succeeds("alter table parts concatenate", fault, step);
            boolean isReached = repair(fault);
            List<String> files = rows("select count(distinct INPUT__FILE__NAME) from parts");
            assertThat(files).as(what).isIn(isDone ? List.of(List.of("1")) : List.of(List.of("1"), List.of("2")));
            assertThat(rows("select a from parts order by a")).as(what).containsExactly("1", "2", "3");
            run("alter table parts concatenate");
            assertThat(rows("select a from parts order by a")).as(what).containsExactly("1", "2", "3");
            assertThat(rows("select count(distinct INPUT__FILE__NAME) from parts"))
                    .as(what)
                    .containsExactly("1");
            return isReached;
        });
    }

    @Test
    void theFolderOfAnExternalTableHasRowsOfBeforeOrAfter() throws IOException {
        String place = folder.resolve("out").toString();
        run("create external table written (a int) stored as textfile location '" + place + "'");
        String statement = "insert overwrite directory '" + place + "' select a + 10 from written";
        StepFaults.atSteps("directory", STRIDE, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "INSERT OVERWRITE DIRECTORY fails " + fault + " at step " + step;
            run("insert overwrite table written select 1 union all select 2");
            boolean isDone = succeeds(statement, fault, step);
            boolean isReached = repair(fault);
            List<String> before = List.of("1", "2");
            List<String> after = List.of("11", "12");
            List<String> found = rows("select a from written order by a");
            assertThat(found).as(what).isIn(isDone ? List.of(after) : List.of(before, after));
            assertThat(rows("select count(*), max(a) from written")).as(what).containsExactly("2 | " + found.getLast());
            run(statement);
            assertThat(rows("select max(a) from written"))
                    .as(what)
                    .containsExactly(Integer.toString(Integer.parseInt(found.getLast()) + 10));
            return isReached;
        });
    }
}
