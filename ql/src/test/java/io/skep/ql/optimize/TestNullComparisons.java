package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests conditions that compare with NULL, explicitly or by inference, wherever Calcite pulls up predicates. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestNullComparisons {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeAll
    void makeTable() {
        engine.run(session, "create table t (a int, b bigint, s string)");
        engine.run(session, "insert into t values (1, 10, 'x'), (2, 20, 'y'), (null, 30, null)");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "b >= null; 0",
                "b = null and a = 1; 0",
                "not (b = null); 0",
                "b = null or a = 1; 1",
                "b <=> null; 0",
                "s <=> null; 1",
                "a = cast('x' as int); 0",
                "a in (null); 0",
                "a between null and 2; 0",
                "a not between 5 and null; 2",
                "coalesce(b = null, true); 3",
                "a in (select a from t where b = null); 0",
                "a not in (select a from t where b = null); 3",
                "exists (select 1 from t y where y.a = t.a and y.b = null); 0",
                "not exists (select 1 from t y where y.a = t.a and y.b = cast('x' as bigint)); 3",
                "a = (select max(y.a) from t y where y.b > null); 0",
                "b > (select min(y.b) from t y where y.a = t.a and y.a < null); 0",
                "a in (select y.a from t y where y.b = t.b and exists (select 1 from t z"
                        + " where z.a = y.a and z.b = null)); 0"
            })
    void areTrueForNoRow(String condition, String rows) {
        assertThat(engine.rows(session, "select count(*) from (select a, b from t where " + condition + ") q"))
                .containsExactly(rows);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "join t y on x.a = y.a and y.b = null; 0",
                "left join t y on x.a = y.a and y.b = null; 3",
                "left join t y on x.a = y.a and x.b > cast(null as int) where x.a = 1; 1",
                "full join t y on x.a = y.a and y.b <> null; 6",
                "left semi join t y on x.a = y.a and y.b < null; 0",
                "join (select a from t where b = null) y on x.a = y.a; 0"
            })
    void joinNoRows(String join, String rows) {
        assertThat(engine.rows(session, "select count(*) from t x " + join)).containsExactly(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select (select r.b from t r where r.a = l.a) from t l where l.b <= case when l.s <> l.s then l.b end",
                "select (select r.b from t r where r.a = l.a and r.b < case when r.s <> r.s then r.b end) from t l"
                        + " where l.b <= case when l.s <> l.s then l.b end",
                "select l.b from t l where (select max(r.b) from t r where r.a = l.a) > case"
                        + " when l.s <> l.s then l.b end",
                "select l.b from t l join t m on l.a = m.a and l.b < case when m.s <> m.s then m.b end"
                        + " where l.b in (select r.b from t r where r.a = m.a)"
            })
    void areFoundBelowSubqueries(String query) {
        assertThat(engine.rows(session, query)).isEmpty();
    }
}
