package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that equal subplans run once, and that queries return the same rows as when each subplan runs separately. */
final class TestSharedFragments {
    private static final String REVENUE = "with revenue as (select k, sum(v) total from sales group by k) ";

    private static TestingEngine engine;
    private static SqlSession session;

    /**
     * Creates an engine whose queries have several tasks. Depending on their size, small sides of joins are sent to all
     * tasks or not.
     */
    @BeforeAll
    static void start() {
        engine = new TestingEngine(new PlanningLimits(0, 10_000));
        session = engine.session();
        run("create table sales (k int, day int, v bigint) stored as orc");
        run("create table days (day int, month int) stored as orc");
        run("insert into sales select pos % 50, pos % 7, pos * 3 from (select 1) x"
                + " lateral view posexplode(split(repeat('a,', 2000), ',')) e as pos, part");
        run("insert into days values (0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (6, null)");
    }

    @AfterAll
    static void stop() {
        session.close();
        engine.close();
    }

    private static void run(String sql) {
        engine.run(session, sql);
    }

    private static List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private static String plan(String sql) {
        return engine.plan(session, sql);
    }

    private static long scans(String plan, String table) {
        return plan.lines()
                .filter(line -> line.contains("Scan default." + table))
                .count();
    }

    /**
     * Checks that a plan contains this number of scans of the table, and that the rows are those of unshared fragments.
     */
    private static void assertScans(int scans, String table, String sql) {
        assertThat(scans(plan(sql), table)).as(plan(sql)).isEqualTo(scans);
        List<String> shared = rows(sql);
        run("set hive.optimize.shared.work=false");
        try {
            assertThat(scans(plan(sql), table)).isGreaterThan(scans);
            assertThat(shared).isNotEmpty().isEqualTo(rows(sql));
        } finally {
            run("set hive.optimize.shared.work=true");
        }
    }

    @Test
    void anAggregationAndItsGreatest() {
        String sql = REVENUE + "select k, total from revenue where total = (select max(total) from revenue) order by k";
        assertScans(1, "sales", sql);
        assertThat(plan(sql)).contains("read by 2 fragments");
    }

    @Test
    void readTwiceByOneTask() {
        assertScans(
                1,
                "sales",
                REVENUE + "select a.k, a.total, b.total from revenue a join revenue b on a.k = b.k order by a.k");
    }

    @Test
    void unitedWithItself() {
        assertScans(
                1,
                "sales",
                REVENUE + "select * from (select k, total from revenue union all select k, total from revenue) u"
                        + " order by k, total");
        assertScans(
                1,
                "sales",
                REVENUE + "select count(*), sum(total) from (select * from revenue union all select * from revenue"
                        + " union all select * from revenue) u");
    }

    @Test
    void dimensionsThatAreSentTwice() {
        String join = "(select s.k, count(*) n from sales s join days d on s.day = d.day where d.month = ";
        assertScans(
                2,
                "days",
                "select a.k, a.n, b.n, c.n from " + join + "1 and s.v > 10 group by s.k) a join " + join
                        + "1 and s.v < 5000 group by s.k) b on a.k = b.k join " + join
                        + "2 group by s.k) c on a.k = c.k order by a.k");
    }

    @Test
    void otherConditionsAreOtherRows() {
        String sql = "select a.k, b.k from (select k, count(*) n from sales where v > 10 group by k) a"
                + " join (select k, count(*) n from sales where v > 11 group by k) b on a.k = b.k order by 1, 2";
        assertThat(scans(plan(sql), "sales")).isEqualTo(2);
    }

    @Test
    void whatIsRandomIsDrawnEachTime() {
        String sql = "with r as (select k, max(rand()) m from sales group by k)"
                + " select count(*) from r a join r b on a.k = b.k where a.m = b.m";
        assertThat(scans(plan(sql), "sales")).isEqualTo(2);
    }

    @Test
    void limitsShareTheirRows() {
        assertScans(
                1,
                "sales",
                "with l as (select k, v from sales order by v desc limit 5)"
                        + " select a.v from l a where a.v in (select v from l) order by a.v");
    }
}
