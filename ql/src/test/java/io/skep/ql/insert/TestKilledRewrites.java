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
 * table or of a materialized view. Then it has the rows of before or those of after, and the statement runs again.
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

    /**
     * Rows and write ids of a view are recorded one after the other. Whatever is cut off, the view answers no query
     * with rows of another moment, and the next rebuild counts no change twice.
     */
    @Test
    void rebuiltViewsHaveTheRowsOfBeforeOrAfter() throws IOException {
        String acid = " stored as orc tblproperties ('transactional'='true')";
        String query = "select b, count(*) c, sum(v) s from changed group by b";
        String rebuild = "alter materialized view counted rebuild";
        String shown = "select * from counted order by b";
        String computed = query + " order by b";
        run("create table changed (a int, b string, v bigint)" + acid);
        StepFaults.atSteps("rebuild", 2 * STRIDE + 1, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "REBUILD fails " + fault + " at step " + step;
            run("drop materialized view if exists counted");
            run("delete from changed");
            run("insert into changed values (1, 'x', 10), (2, 'x', 20), (3, 'y', 30)");
            run("create materialized view counted" + (step % 2 == 0 ? acid : "") + " as " + query);
            List<String> before = rows(computed);
            run("insert into changed values (4, 'y', 40), (5, 'z', 50)");
            run("update changed set v = v + 5 where a = 1");
            run("delete from changed where a = 3");
            boolean isDone = succeeds(rebuild, fault, step);
            boolean isReached = faults.isReached();
            faults.repair();
            engine.endTransactions();
            if (fault == Fault.DEATH) {
                engine.commits().recover();
            }
            run("set hive.materializedview.rewriting=false");
            List<String> after = rows(computed);
            assertThat(after).as(what).containsExactly("x | 2 | 35", "y | 1 | 40", "z | 1 | 50");
            assertThat(rows(shown)).as(what).isIn(isDone ? List.of(after) : List.of(before, after));
            run("set hive.materializedview.rewriting=true");
            assertThat(rows(computed)).as(what).isEqualTo(after);
            run("insert into changed values (6, 'z', 60)");
            run("delete from changed where a = 2");
            run(rebuild);
            assertThat(rows(shown)).as(what).containsExactly("x | 1 | 15", "y | 1 | 40", "z | 2 | 110");
            return isReached;
        });
    }
}
