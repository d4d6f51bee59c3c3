package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests conditions on one side of a join that also apply to the other side. */
class TestPredicateInference {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void create() {
        engine.run(session, "create table a (k int, x int, d double, s string) stored as orc");
        engine.run(session, "create table b (k int, y int, d double, s string) stored as orc");
        engine.run(session, "create table c (k int, z int, l bigint) stored as orc");
        engine.run(
                session,
                "insert into a values (1, 1, 1.0, 'p'), (2, 2, -0.0D, 'q'), (15, 3, 0.0, 'r'), (null, 4, null, null)");
        engine.run(
                session,
                "insert into b values (1, 5, 1.0, 'p'), (2, 6, 0.0, 'x'), (15, 7, 2.0, 'r'), (null, 8, null, null)");
        engine.run(session, "insert into c values (1, 9, 1), (2, 10, 2), (15, 11, 3), (null, 12, null)");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    /** Returns a query's scan of a table with its conditions. */
    private String asked(String table, String query) {
        return engine.plan(session, query)
                .lines()
                .filter(line -> Pattern.compile("Scan default\\." + table + "\\b")
                        .matcher(line)
                        .find())
                .map(line -> line.replaceFirst("; rows=\\d+$", ""))
                .reduce("", (one, other) -> one + other);
    }

    private List<String> rows(String query) {
        return engine.rows(session, query);
    }

    @Test
    void innerJoins() {
        String query = "select a.x, b.y from a join b on a.k = b.k where a.k < 10";
        assertThat(asked("a", query)).contains("< 10");
        assertThat(asked("b", query)).contains("< 10");
        assertThat(rows(query)).containsExactlyInAnyOrder("1 | 5", "2 | 6");
    }

    @Test
    void throughAClassOfColumns() {
        String query = "select a.x, b.y, c.z from a join b on a.k = b.k join c on b.k = c.k where c.k in (2, 15)";
        assertThat(asked("a", query)).contains("15");
        assertThat(asked("b", query)).contains("15");
        assertThat(rows(query)).containsExactlyInAnyOrder("2 | 6 | 10", "3 | 7 | 11");
    }

    @Test
    void intoSubqueriesWithJoinsOfTheirOwn() {
        String query =
                "select a.x, t.n from a join (select b.k, count(*) as n from b join c on b.k = c.k group by b.k) t"
                        + " on t.k = a.k where a.k > 10";
        assertThat(asked("b", query)).contains("10");
        assertThat(asked("c", query)).contains("10");
        assertThat(rows(query)).containsExactly("3 | 1");
    }

    @Test
    void outOfSubqueries() {
        String query = "select a.x, t.n from a join (select k, count(*) as n from b where k < 10 group by k) t"
                + " on t.k = a.k";
        assertThat(asked("a", query)).contains("< 10");
        assertThat(rows(query)).containsExactlyInAnyOrder("1 | 1", "2 | 1");
    }

    @Test
    void constants() {
        String query = "select a.x, b.y from a join b on a.k = b.k where a.k = 2";
        assertThat(asked("b", query)).contains("= 2");
        assertThat(rows(query)).containsExactly("2 | 6");
    }

    @Test
    void outerJoinsOnlyWhereRowsGoAnyway() {
        String left = "select a.x, b.y from a left join b on a.k = b.k where a.k < 10 or a.k is null";
        assertThat(asked("b", left)).contains("< 10");
        assertThat(rows(left)).containsExactlyInAnyOrder("1 | 5", "2 | 6", "4 | NULL");
        String onRight = "select a.x, b.y from a left join b on a.k = b.k and b.k < 2";
        assertThat(asked("a", onRight)).doesNotContain("< 2");
        assertThat(rows(onRight)).containsExactlyInAnyOrder("1 | 5", "2 | NULL", "3 | NULL", "4 | NULL");
        String onLeft = "select a.x, b.y from a left join b on a.k = b.k and a.k < 2";
        assertThat(asked("b", onLeft)).contains("< 2");
        assertThat(rows(onLeft)).containsExactlyInAnyOrder("1 | 5", "2 | NULL", "3 | NULL", "4 | NULL");
        String right = "select a.x, b.y from a right join b on a.k = b.k where b.k > 10";
        assertThat(asked("a", right)).contains("10");
        assertThat(rows(right)).containsExactly("3 | 7");
        String full = "select a.x, b.y from (select * from a where k < 2) a full join b on a.k = b.k";
        assertThat(asked("b", full)).doesNotContain("< 2");
        assertThat(rows(full)).containsExactlyInAnyOrder("1 | 5", "NULL | 6", "NULL | 7", "NULL | 8");
    }

    @Test
    void semiAndAntiJoins() {
        String in = "select x from a where k in (select k from b) and k < 10";
        assertThat(asked("b", in)).contains("< 10");
        assertThat(rows(in)).containsExactlyInAnyOrder("1", "2");
        String inFiltered = "select x from a where k in (select k from b where k < 10)";
        assertThat(asked("a", inFiltered)).contains("< 10");
        assertThat(rows(inFiltered)).containsExactlyInAnyOrder("1", "2");
        String notExists = "select x from a where not exists (select 1 from b where b.k = a.k and b.k < 10)";
        assertThat(asked("a", notExists)).doesNotContain("< 10");
        assertThat(rows(notExists)).containsExactlyInAnyOrder("3", "4");
        String notIn = "select x from a where k not in (select k from b where k is not null and k < 2)";
        assertThat(asked("a", notIn)).doesNotContain("< 2");
        assertThat(rows(notIn)).containsExactlyInAnyOrder("2", "3");
    }

    @Test
    void branchesOfAnOr() {
        String query = "select a.x, b.y from a join b on a.k = b.k"
                + " where (a.s = 'p' and b.y = 5) or (a.s = 'q' and b.y = 6) or (a.s = 'q' and b.y = 7)";
        assertThat(asked("a", query)).contains("'p'").contains("'q'");
        assertThat(asked("b", query)).contains("5").contains("7");
        assertThat(rows(query)).containsExactlyInAnyOrder("1 | 5", "2 | 6");
    }

    @Test
    void notOfWhatMayDifferThoughEqual() {
        String doubles = "select a.x, b.y from a join b on a.d = b.d where cast(a.d as string) = '0.0'";
        assertThat(asked("b", doubles)).doesNotContain("'0.0'");
        assertThat(rows(doubles)).containsExactly("3 | 6");
        String random = "select a.x, b.y from a join b on a.k = b.k where a.k < 10 + rand()";
        assertThat(asked("b", random)).doesNotContain("rand");
        String otherType = "select a.x, c.z from a join c on a.k = c.l where a.k < 10";
        assertThat(rows(otherType)).containsExactlyInAnyOrder("1 | 9", "2 | 10");
    }

    @Test
    void twoColumnsOfOneSideThatEqualTheSame() {
        String query = "select a.k, b.y from a join b on a.k = b.k and a.x = b.k";
        assertThat(asked("a", query)).contains("=");
        assertThat(rows(query)).containsExactlyInAnyOrder("1 | 5", "2 | 6");
    }

    @Test
    void nothingOfNoNews() {
        String query = "select a.x, b.y from a join b on a.k = b.k where abs(a.k) = a.k and abs(b.k) = b.k";
        assertThat(asked("b", query).split("abs", -1)).hasSize(2);
        assertThat(asked("a", query).split("abs", -1)).hasSize(2);
        String notNull = "select a.x, b.y from a join b on a.k = b.k where a.k is not null";
        assertThat(asked("b", notNull)).doesNotContain("where");
    }
}
