package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests statements from text to rows. Each query runs as one task and as several. */
final class TestQueriesEndToEnd {
    private TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);

    @AfterEach
    void close() {
        assertThat(engine.reservedBytes()).isZero();
        engine.close();
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    static Stream<PlanningLimits> limits() {
        return Stream.of(PlanningLimits.DEFAULT, new PlanningLimits(0, 1 << 20), new PlanningLimits(0, 0));
    }

    @Test
    void selectsConstants() {
        try (SqlSession session = engine.session()) {
            assertThat(engine.run(session, "select 1, 'a', 1 + 2 * 3"))
                    .containsExactly(List.of(number(1), Datum.ofText("a"), number(7)));
        }
    }

    @Test
    void bothSidesOfAJoinAreCutByWhatAnOrOverBothAsks() {
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table a (k int, x string)");
            engine.run(session, "create table b (k int, y string)");
            engine.run(session, "insert into a values (1, 'F'), (2, 'G'), (3, 'H')");
            engine.run(session, "insert into b values (1, 'G'), (2, 'F'), (3, 'F')");
            String query = "select a.k from a join b on a.k = b.k"
                    + " where x = 'F' and y = 'G' or x = 'G' and y = 'F' or x = 'H' and y = 'H'";
            assertThat(engine.run(session, query)).containsExactlyInAnyOrder(List.of(number(1)), List.of(number(2)));
            assertThat(text(engine.run(session, "explain " + query)))
                    .containsSubsequence("Scan", " in ('F', 'G', 'H')", "Scan", " in ('F', 'G', 'H')");
        }
    }

    private static String text(List<List<Datum>> rows) {
        return rows.stream()
                .map(row -> new String(((Datum.OfBytes) row.getFirst()).value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void writesAndReads(PlanningLimits limits) {
        engine.close();
        engine = new TestingEngine(limits);
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int, v string) stored as orc");
            engine.run(session, "create table p (k int, x bigint) partitioned by (ds string) stored as orc");
            engine.run(session, "insert into t values (1, 'one'), (2, 'two'), (3, 'three'), (null, 'none')");
            engine.run(session, "insert into p partition (ds='a') select k, k * 10 from t where k is not null");
            engine.run(session, "insert into p partition (ds) select k, 7, 'b' from t where k < 3");
            assertThat(engine.run(session, "select count(*), sum(x) from p where ds = 'a'"))
                    .containsExactly(List.of(number(3), number(60)));
            assertThat(engine.run(
                            session,
                            "select t.v, sum(p.x) from t join p on t.k = p.k group by t.v"
                                    + " having sum(p.x) > 17 order by t.v"))
                    .containsExactly(
                            List.of(Datum.ofText("three"), number(30)), List.of(Datum.ofText("two"), number(27)));
            assertThat(engine.run(
                            session, "select v from t where k in (select k from p where ds = 'b') order by v desc"))
                    .containsExactly(List.of(Datum.ofText("two")), List.of(Datum.ofText("one")));
            assertThat(engine.run(session, "select v from t where not exists (select 1 from p where p.k = t.k)"))
                    .containsExactly(List.of(Datum.ofText("none")));
            assertThat(engine.run(
                            session,
                            "select ds, k, row_number() over (partition by ds order by k desc)"
                                    + " from p order by ds, k limit 2"))
                    .containsExactly(
                            List.of(Datum.ofText("a"), number(1), number(3)),
                            List.of(Datum.ofText("a"), number(2), number(2)));
            engine.run(session, "insert overwrite table p partition (ds='a') select 9, 9");
            assertThat(engine.run(session, "select ds, count(*) from p group by ds order by ds"))
                    .containsExactly(List.of(Datum.ofText("a"), number(1)), List.of(Datum.ofText("b"), number(2)));
            assertThat(engine.run(session, "select k, c from t lateral view explode(array(1, 2)) e as c where k = 1"))
                    .containsExactlyInAnyOrder(List.of(number(1), number(1)), List.of(number(1), number(2)));
            engine.run(
                    session,
                    "create table u stored as orc as select ds, count(distinct k) c from p group by ds with rollup");
            assertThat(engine.run(session, "select * from u union all select 'x', 1 order by ds desc, c"))
                    .hasSize(4);
        }
    }
}
