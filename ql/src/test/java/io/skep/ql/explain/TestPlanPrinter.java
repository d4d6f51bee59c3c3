package io.skep.ql.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.query.QueryCompiler.Choices;
import io.skep.ql.testing.RelFixture;
import org.junit.jupiter.api.Test;

/** Tests the text of plans: the names of columns, and the estimated rows. */
class TestPlanPrinter {
    private final RelFixture fixture = new RelFixture()
            .table("orders", "o_orderkey int, o_custkey int, o_total decimal(10,2)", 1500)
            .distinct("orders", "o_orderkey", 1500)
            .distinct("orders", "o_custkey", 100)
            .table("lineitem", "l_orderkey int, l_quantity int, l_tag string", 6000)
            .distinct("lineitem", "l_orderkey", 1500)
            .partitioned("visits", "page string, seconds int", "day int")
            .partition("visits", 300, "1")
            .partition("visits", 300, "2")
            .choices(RelFixture.NONE);

    private String plan(String sql) {
        return PlanPrinter.print(fixture.planned(sql)).strip();
    }

    /** Returns the only line of a plan that begins with a word. */
    private String line(String word, String sql) {
        return plan(sql)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(word))
                .reduce((one, other) -> {
                    throw new AssertionError("more than one line with " + word + ": " + one + " and " + other);
                })
                .orElseThrow();
    }

    @Test
    void aWholePlan() {
        assertThat(plan("select l_tag, sum(l_quantity) from lineitem join orders on l_orderkey = o_orderkey"
                        + " where o_total > 10 group by l_tag"))
                .isEqualTo("""
                        Plan, about 6,495 rows to read
                        Fragment 0 (one task), output to the client
                          Aggregate (single): by [l_tag] sum(cast(l_quantity as bigint)); rows=198
                            Project: l_tag, cast(l_quantity as bigint); rows=1980
                              Join (inner): l_orderkey = o_orderkey; rows=1980
                                Scan default.lineitem: l_orderkey, l_quantity, l_tag; rows=6000
                                Project: o_orderkey; rows=495
                                  Scan default.orders: o_orderkey, o_total; where (o_total > 10.00); \
                        skips row groups by 1 conditions; rows=495""");
    }

    @Test
    void fragmentsKeepTheNamesOfTheirColumns() {
        fixture.limits(PlanningLimits.SPREAD);
        String plan = plan("select l_tag, count(*) as n from lineitem group by l_tag order by n desc, l_tag");
        assertThat(plan)
                .contains("output by hash of l_tag")
                .contains("Aggregate (partial): by [l_tag] count()")
                .contains("Aggregate (final): by [l_tag] count(); rows=600")
                .contains("Sort: count() desc nulls first, l_tag nulls last; rows=600")
                .contains("merged by count() desc nulls first, l_tag nulls last; rows=600");
    }

    @Test
    void equalNamesAreQualifiedByTheirTables() {
        fixture.table("a", "k int, v int", 100).table("b", "k int, v int", 10);
        assertThat(line("Join", "select a.v, b.v from a join b on a.k = b.k and a.v < b.v"))
                .startsWith("Join (inner): a.k = b.k, where (a.v < b.v); rows=");
        assertThat(line("Project", "select a.v, b.v from a join b on a.k = b.k"))
                .startsWith("Project: a.v, b.v; rows=");
        assertThat(line("Join", "select a.v from a join b on a.k <=> b.k")).startsWith("Join (inner): a.k <=> b.k");
    }

    @Test
    void equalColumnsOfOneTableHaveTheirPositions() {
        assertThat(line("Join", "select x.l_tag from lineitem x join lineitem y on x.l_orderkey = y.l_orderkey"))
                .startsWith("Join (inner): lineitem.l_orderkey$0 = lineitem.l_orderkey$2; rows=");
    }

    @Test
    void computedColumnsAreShortExpressions() {
        String sql = "select n, total from (select o_custkey + 1 as n, sum(o_orderkey) as total from orders"
                + " group by o_custkey + 1) t where total > 5";
        assertThat(line("Filter", sql)).startsWith("Filter: (sum(cast(o_orderkey as bigint)) > 5)");
        assertThat(line("Aggregate", sql)).startsWith("Aggregate (single): by [(o_custkey + 1)]");
    }

    @Test
    void otherComputedColumnsHaveTheirPosition() {
        String sql = "select n from (select concat(l_tag, 'a long text that nobody wants to read twice') as n"
                + " from lineitem order by n limit 5) t";
        assertThat(line("Top 5", sql)).startsWith("Top 5: $0 nulls last; rows=5");
    }

    @Test
    void windowsNameTheirColumns() {
        assertThat(line(
                        "Window",
                        "select sum(l_quantity) over (partition by l_orderkey order by l_tag desc) from lineitem"))
                .startsWith("Window: partition by [l_orderkey] order by l_tag desc");
    }

    @Test
    void conditionsOnPartitionsNameTheKeys() {
        assertThat(line("Scan", "select page from visits where day > 1 and seconds < 9"))
                .contains("partitions where (day > 1)")
                .contains("; where (seconds < 9)");
    }

    @Test
    void filtersNameTheColumnsOfBothSides() {
        fixture.choices(new Choices(true, true, false, false))
                .table("days", "id int, month int", 10)
                .limits(PlanningLimits.SPREAD);
        String plan = plan("select page from visits join days on day = id where month = 1");
        assertThat(plan)
                .contains("Join (inner): day = id, gives runtime filter 0 of id; rows=")
                .contains("runtime filter 0 on day; splits by day among id of fragment 0; rows=");
    }

    /** A shared fragment is printed once. The fragment that passes its rows on has its estimate. */
    @Test
    void sharedFragmentsKeepTheirEstimates() {
        fixture.choices(new Choices(false, false, true, false)).limits(PlanningLimits.SPREAD);
        String sql = "with t as (select o_custkey as c, count(*) as n from orders group by o_custkey)"
                + " select * from t union all select * from t";
        String plan = plan(sql);
        assertThat(plan.split("Scan default.orders", -1)).hasSize(2);
        assertThat(plan).contains("Aggregate (final): by [o_custkey] count(); rows=100");
        assertThat(plan.lines().filter(line -> line.contains("From fragments")))
                .allMatch(line -> line.contains("rows="));
        assertThat(plan.lines().filter(line -> line.strip().matches("From fragments \\[1]; rows=100")))
                .hasSize(1);
        assertThat(line("From fragments [1, 2]", sql)).endsWith("; rows=200");
    }

    @Test
    void theColumnsOfATableFunctionHaveTheirPositions() {
        String sql = "select x from orders lateral view explode(array(o_custkey, 2)) e as x where x > 1";
        assertThat(line("Lateral view", sql)).startsWith("Lateral view: explode(array(o_custkey, 2))");
        assertThat(line("Filter", sql)).startsWith("Filter: ($1 > 1)");
    }

    @Test
    void aScanWithoutColumns() {
        assertThat(line("Scan", "select sum(1) from orders")).isEqualTo("Scan default.orders; rows=1500");
    }
}
