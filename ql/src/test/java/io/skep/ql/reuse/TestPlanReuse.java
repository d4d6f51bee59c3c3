package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Datum;
import io.skep.ql.AccessRecord;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that queries of one shape share a plan, and return the same answers as without sharing. */
class TestPlanReuse {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void makeTable() {
        engine.run(session, "create table t (a int, b bigint, s string, n tinyint) partitioned by (day int)");
        engine.run(session, "insert into t partition (day = 1) values (1, 10, '5', 1), (2, 20, 'x', 2)");
        engine.run(session, "insert into t partition (day = 2) values (3, 3000000000, '7', 3), (2, 50, 'y', 4)");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private List<Long> run(String query) {
        return run(session, query);
    }

    private List<Long> run(SqlSession asking, String query) {
        return engine.run(asking, query).stream()
                .map(row -> ((Datum.OfLong) row.getFirst()).value())
                .sorted()
                .toList();
    }

    private long hits() {
        return engine.plans().hits();
    }

    @Test
    void answersWithOtherNumbers() {
        assertThat(run("select a from t where day >= 1 and day < 3 and a = 2")).containsExactly(2L, 2L);
        assertThat(hits()).isZero();
        assertThat(run("select a from t where day >= 2 and day < 3 and a = 2")).containsExactly(2L);
        assertThat(run("select a from t where day >= 1 and day < 2 and a = 1")).containsExactly(1L);
        assertThat(run("select a from t where day >= 3 and day < 1 and a = 1")).isEmpty();
        assertThat(hits()).isEqualTo(3);
    }

    @Test
    void compilesWithoutTheOptimizerWhatIsKept() {
        assertThat(byKeptPlan("select a from t where a = 2")).isEmpty();
        assertThat(run("select a from t where a = 2")).hasSize(2);
        assertThat(byKeptPlan("select a from t where a = 1")).contains(List.of("1"));
        assertThat(byKeptPlan("select a from t where b = 1")).isEmpty();
        assertThat(byKeptPlan("insert into t partition (day = 1) values (9, 9, '9', 9)"))
                .isEmpty();
        assertThat(byKeptPlan("select a from t where a = (")).isEmpty();
        engine.run(session, "alter table t change a a bigint");
        assertThat(byKeptPlan("select a from t where a = 1")).isEmpty();
    }

    @Test
    void leavesLargePlansToThreadsWithLargeStacks() {
        for (int terms : List.of(100, 400)) {
            String sum = String.join(" + ", Collections.nCopies(terms, "a"));
            String large = "select " + sum + " from t where a = ";
            assertThat(run(large + 2)).containsExactly(2L * terms, 2L * terms);
            assertThat(byKeptPlan(large + 1).isPresent()).isEqualTo(terms == 100);
            assertThat(run(large + 1)).containsExactly((long) terms);
        }
    }

    private Optional<List<String>> byKeptPlan(String query) {
        return session.compileWithCachedPlan(new QueryId("kept"), query, new AccessRecord())
                .map(statement -> {
                    try (statement) {
                        return engine.rowsOf(statement);
                    }
                });
    }

    @Test
    void projectsWhatAnEqualityFixed() {
        assertThat(run("select b, sum(a) from t where b = 10 group by b")).containsExactly(10L);
        assertThat(run("select b, sum(a) from t where b = 50 group by b")).containsExactly(50L);
        assertThat(run("select b, sum(a) from t where b = 3000000000 group by b"))
                .containsExactly(3000000000L);
        assertThat(run("select b, sum(a) from t where b = 3000000001 group by b"))
                .isEmpty();
        assertThat(hits()).isEqualTo(2);
    }

    @Test
    void keepsOtherNumbersApart() {
        assertThat(run("select a + 1 from t where a > 2")).containsExactly(4L);
        assertThat(run("select a + 2 from t where a > 2")).containsExactly(5L);
        assertThat(run("select a + 2 from t where a > 1")).containsExactly(4L, 4L, 5L);
        assertThat(run("select a from t where a > 0 order by a limit 1")).containsExactly(1L);
        assertThat(run("select a from t where a > 0 order by a limit 2")).containsExactly(1L, 2L);
        assertThat(run("select a from t where a > 0 order by a limit 0")).isEmpty();
    }

    @Test
    void leavesNumbersThatAreConvertedAlone() {
        assertThat(run("select a from t where s = 5")).containsExactly(1L);
        assertThat(run("select a from t where s = 7")).containsExactly(3L);
        assertThat(run("select a from t where n = 3")).containsExactly(3L);
        assertThat(run("select a from t where n = 300")).isEmpty();
        assertThat(run("select a from t where a < 3000000000")).hasSize(4);
        assertThat(run("select a from t where a > 3000000001")).isEmpty();
        assertThat(hits()).isZero();
        assertThat(run("select a from t where n = 1")).containsExactly(1L);
        assertThat(hits()).isEqualTo(1);
    }

    @Test
    void keepsPlansApartThatLeaveOtherNumbersOpen() {
        engine.run(session, "create table u (n tinyint, m smallint)");
        engine.run(session, "insert into u values (1, 200), (2, 201)");
        assertThat(run("select n from u where n < 300 and m < 5")).isEmpty();
        assertThat(run("select n from u where n < 2 and m < 70000")).containsExactly(1L);
        assertThat(run("select n from u where n < 1 and m < 300")).isEmpty();
    }

    @Test
    void findsNumbersInSubqueriesJoinsAndViews() {
        engine.run(session, "create view v as select a, b from t where b > 15");
        for (int i = 0; i < 2; i++) {
            assertThat(run("select v.a from v where v.a < " + (3 + i))).hasSize(2 + i);
            assertThat(run("select a from t where day = 1 and a in (select a from t where day = " + (1 + i) + ")"))
                    .hasSize(2 - i);
            assertThat(run("select x.a from t x join t y on x.a = y.a where x.day = 1 and y.day = " + (1 + i)))
                    .hasSize(2 - i);
        }
        assertThat(hits()).isEqualTo(3);
        engine.run(session, "alter view v as select a + 100 as a, b from t");
        assertThat(run("select v.a from v where v.a < 103")).containsExactly(101L, 102L, 102L);
    }

    @Test
    void seesTheTableAsItIs() {
        String query = "select * from t where a = ";
        assertThat(engine.run(session, query + 1).getFirst()).hasSize(5);
        engine.run(session, "alter table t add columns (extra int)");
        assertThat(engine.run(session, query + 1).getFirst()).hasSize(6);
        engine.run(session, "insert into t partition (day = 3) values (1, 60, 'z', 5, 6)");
        assertThat(engine.run(session, query + 1)).hasSize(2);
        engine.run(session, "drop table t");
        assertThatThrownBy(() -> engine.run(session, query + 1)).isInstanceOf(SkepException.class);
        engine.run(session, "create table t (a string)");
        engine.run(session, "insert into t values ('1'), ('01'), ('2')");
        assertThat(engine.run(session, query + 1)).hasSize(2);
    }

    @Test
    void dependsOnTheSession() {
        String query = "select a from t where a = 2";
        assertThat(run(query)).hasSize(2);
        try (SqlSession other = engine.session()) {
            assertThat(run(other, query)).hasSize(2);
            assertThat(hits()).isEqualTo(1);
            engine.run(other, "create database d");
            engine.run(other, "use d");
            assertThatThrownBy(() -> run(other, query)).isInstanceOf(SkepException.class);
            engine.run(other, "create temporary table t (a int)");
            assertThat(run(other, query)).isEmpty();
        }
        engine.run(session, "create temporary macro twice (x int) x + x");
        assertThat(run(query)).hasSize(2);
        assertThat(hits()).isEqualTo(1);
    }

    @Test
    void asksTheClockEachTime() {
        assertThat(run("select a from t where a = 1 and current_timestamp is not null"))
                .hasSize(1);
        assertThat(run("select a from t where a = 3 and current_timestamp is not null"))
                .hasSize(1);
        assertThat(hits()).isZero();
    }
}
