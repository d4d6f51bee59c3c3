package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.PlanNode;
import io.skep.ql.query.QueryCompiler.Choices;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which fragments' values exclude splits of which partitioned scans. */
class TestSplitFilterPlanning {
    /** Small build sides are sent to all tasks, so that a join is in the fragment of its probe side's scan. */
    private static final PlanningLimits SENT = new PlanningLimits(0, 1 << 30);

    /** Both sides of a join are partitioned, so that an exchange lies between the scan and the join. */
    private static final PlanningLimits HASHED = new PlanningLimits(0, 0);

    private final RelFixture fixture = new RelFixture()
            .partitioned("sales", "item int, amount int", "day int, town string, ratio double")
            .table("days", "day int, month int, town varchar(20), ratio double", 100)
            .choices(new Choices(false, true, false, false));

    TestSplitFilterPlanning() {
        for (int day = 0; day < 200; day++) {
            fixture.partition("sales", 1000, Integer.toString(day), "x", "0.5");
        }
    }

    /** Returns the filters of the scans of the partitioned table. */
    private List<DynamicPartitionFilter> filters(PlanningLimits limits, String sql) {
        return PlanNodes.scans("sales", fixture.limits(limits).planned(sql)).stream()
                .flatMap(scan -> scan.splitFilters().stream())
                .toList();
    }

    private void filtered(String sql) {
        assertThat(filters(SENT, sql)).hasSize(1);
        assertThat(filters(HASHED, sql)).hasSize(1);
    }

    private void notFiltered(String sql) {
        assertThat(filters(SENT, sql)).isEmpty();
        assertThat(filters(HASHED, sql)).isEmpty();
    }

    @Test
    void aFilterNamesTheFragmentWithTheValues() {
        PhysicalPlan plan = fixture.limits(SENT)
                .planned("select s.item, d.month from sales s join days d on s.day = d.day where d.month = 1");
        PlanNode.Scan scan = PlanNodes.scan("sales", plan);
        DynamicPartitionFilter filter = scan.splitFilters().getFirst();
        assertThat(PlanNodes.column(scan, filter.column())).isEqualTo("day");
        int producer = filter.fragments().getFirst();
        PlanNode root = plan.graph().fragments().get(producer).root();
        assertThat(root.outputTypes().get(filter.source()))
                .isEqualTo(scan.outputTypes().get(filter.column()));
        assertThat(PlanNodes.scan("days", plan))
                .isEqualTo(root instanceof PlanNode.Scan ? root : root.inputs().getFirst());
    }

    @Test
    void joinsThatDropProbeRows() {
        filtered("select s.item, d.month from sales s join days d on s.day = d.day where d.month = 1");
        filtered("select s.item from sales s left semi join days d on s.day = d.day and d.month = 1");
        filtered("select s.item, d.month from sales s right join (select * from days where month = 1) d"
                + " on s.day = d.day");
    }

    @Test
    void notOtherJoins() {
        notFiltered("select s.item, d.month from sales s left join days d on s.day = d.day and d.month = 1");
        notFiltered("select s.item from sales s where not exists (select 1 from days d where d.day = s.day"
                + " and d.month = 1)");
        notFiltered("select s.item, d.month from sales s join days d on s.day <=> d.day where d.month = 1");
        notFiltered("select s.item, d.month from sales s join days d on s.day + 1 = d.day where d.month = 1");
    }

    @Test
    void notColumnsOfFiles() {
        notFiltered("select s.item, d.month from sales s join days d on s.item = d.day where d.month = 1");
    }

    @Test
    void valuesThatAreEqualByTheirText() {
        filtered("select s.item from sales s join days d on s.town = d.town where d.month = 1");
        notFiltered("select s.item from sales s join days d on s.ratio = d.ratio where d.month = 1");
    }

    @Test
    void throughAggregationsAndUnions() {
        filtered("select s.day, s.total from (select day, sum(amount) as total from sales group by day) s"
                + " join days d on s.day = d.day where d.month = 1");
        assertThat(filters(
                        SENT,
                        "select s.day from (select item, day from sales union all select amount, day from sales) s"
                                + " join days d on s.day = d.day where d.month = 1"))
                .hasSize(2);
        notFiltered("select s.item from (select item, day from sales order by item limit 10) s"
                + " join days d on s.day = d.day where d.month = 1");
    }

    /** Without a condition, the values hardly exclude anything, and the scan would wait for them. */
    @Test
    void scansOfOtherFragmentsWaitOnlyForValuesWithACondition() {
        String all = "select s.item, d.month from sales s join days d on s.day = d.day";
        assertThat(filters(SENT, all)).hasSize(1);
        assertThat(filters(HASHED, all)).isEmpty();
        assertThat(filters(HASHED, all + " where d.month is not null")).isEmpty();
        assertThat(filters(HASHED, all + " where d.month > 3")).hasSize(1);
    }

    @Test
    void scansOfOtherFragmentsDoNotWaitForRowsThatMultiply() {
        assertThat(filters(
                        HASHED,
                        "select s.item from sales s join (select d.day from days d lateral view explode(array(1, 2)) e"
                                + " as n where d.month = 1) d on s.day = d.day"))
                .isEmpty();
    }

    /** Tasks whose output is lost run again, and must return the same values. */
    @Test
    void notByValuesThatMayDifferTheNextTime() {
        notFiltered(
                "select s.item from sales s join (select day from days where month = 1 limit 1) d on s.day = d.day");
        notFiltered("select s.item from sales s join days d on s.day = d.day where d.month > rand()");
    }

    @Test
    void canBeSwitchedOff() {
        fixture.choices(new Choices(true, false, true, true));
        notFiltered("select s.item, d.month from sales s join days d on s.day = d.day where d.month = 1");
    }

    @Test
    void notInOneTask() {
        assertThat(filters(
                        new PlanningLimits(1e9, 0),
                        "select s.item, d.month from sales s join days d on s.day = d.day where d.month = 1"))
                .isEmpty();
    }
}
