package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.TaskLayout;
import io.skep.ql.query.QueryCompiler.Choices;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests which fragments are kept once, in plans of several tasks. */
class TestSharedFragmentsRule {
    private static final Choices SHARED = new Choices(false, false, true, false);
    private static final String TOTALS = "with t as (select k, sum(v) as n from sales group by k) ";

    private final RelFixture fixture = new RelFixture()
            .table("sales", "k int, day int, v int", 1_000_000)
            .table("days", "day int, month int", 100)
            .partitioned("parts", "k int, v int", "day int")
            .partition("parts", 100, "1")
            .partition("parts", 100, "2")
            .limits(new PlanningLimits(0, 10_000));

    private PhysicalPlan planned(boolean shared, String sql) {
        return fixture.choices(shared ? SHARED : RelFixture.NONE).planned(sql);
    }

    /** Checks how often a table is scanned with shared fragments, and that it is scanned more often without. */
    private PhysicalPlan shared(int scans, String table, String sql) {
        PhysicalPlan plan = planned(true, sql);
        assertThat(PlanNodes.scans(table, plan)).hasSize(scans);
        assertThat(PlanNodes.scans(table, planned(false, sql)).size()).isGreaterThan(scans);
        isSound(plan);
        return plan;
    }

    private void notShared(String sql) {
        PhysicalPlan plan = planned(true, sql);
        PhysicalPlan apart = planned(false, sql);
        assertThat(plan.graph()).isEqualTo(apart.graph());
        assertThat(plan.scans()).isEqualTo(apart.scans());
    }

    /** Checks ids, the order of fragments, that no task reads an output twice, and the scans that are listed. */
    private static void isSound(PhysicalPlan plan) {
        List<Fragment> fragments = plan.graph().fragments();
        for (int i = 0; i < fragments.size(); i++) {
            assertThat(fragments.get(i).id()).isEqualTo(i);
            List<Integer> producers =
                    List.copyOf(TaskLayout.producers(fragments.get(i).root()));
            assertThat(producers).doesNotHaveDuplicates().allMatch(inRange(i));
        }
        assertThat(plan.scans())
                .extracting(ScanAssignment::scan)
                .containsExactlyInAnyOrderElementsOf(PlanNodes.all(PlanNode.Scan.class, plan).stream()
                        .map(PlanNode.Scan::id)
                        .toList());
    }

    private static Predicate<Integer> inRange(int end) {
        return producer -> producer >= 0 && producer < end;
    }

    private static long readers(PhysicalPlan plan, int fragment) {
        return plan.graph().fragments().stream()
                .filter(reader -> TaskLayout.producers(reader.root()).contains(fragment))
                .count();
    }

    @Test
    void anAggregationThatTwoFragmentsRead() {
        PhysicalPlan plan = shared(1, "sales", TOTALS + "select k from t where n = (select max(n) from t)");
        assertThat(plan.graph().fragments()).anyMatch(fragment -> readers(plan, fragment.id()) == 2);
    }

    /** The second read goes through a fragment that passes the rows on. */
    @Test
    void anAggregationThatOneTaskReadsTwice() {
        PhysicalPlan plan = shared(1, "sales", TOTALS + "select * from t union all select * from t");
        assertThat(plan.graph().fragments())
                .anyMatch(fragment -> fragment.root() instanceof PlanNode.RemoteSource source
                        && source.fragments().size() == 1
                        && fragment.output() instanceof Fragment.Output.RoundRobin);
    }

    @Test
    void dimensionsThatAreSentToSeveralJoins() {
        String join = "select s.k, d.month from sales s join days d on s.day = d.day where s.v ";
        shared(1, "days", "select * from (" + join + "> 1) a join (" + join + "< 9) b on a.k = b.k");
    }

    @Test
    void notScansWithOtherConditions() {
        String join = "select s.k, d.month from sales s join days d on s.day = d.day where d.month ";
        notShared("select * from (" + join + "= 1 and s.v > 1) a join (" + join + "= 2 and s.v > 2) b on a.k = b.k");
    }

    @Test
    void notScansOfOtherPartitions() {
        String join = "select s.k, p.v from sales s join parts p on s.k = p.k where s.v ";
        shared(1, "parts", join + "> 1 and p.day = 1 union all " + join + "< 9 and p.day = 1");
        notShared(join + "> 1 and p.day = 1 union all " + join + "< 9 and p.day = 2");
    }

    @Test
    void notScansOfOtherSamples() {
        String join = "select s.k, p.v from sales s join parts tablesample (%s) p on s.k = p.k where s.v ";
        String five = join.formatted("5 percent");
        shared(1, "parts", five + "> 1 union all " + five + "< 9");
        notShared(five + "> 1 union all " + join.formatted("6 percent") + "< 9");
        notShared(five + "> 1 union all select s.k, p.v from sales s join parts p on s.k = p.k where s.v < 9");
    }

    @Test
    void notOfTablesThatAreReadOnce() {
        notShared("select s.k, d.month from sales s join days d on s.day = d.day");
    }

    @Test
    void notWhereFunctionsDifferEachTime() {
        notShared("with t as (select k, sum(v) as n from sales where v > rand() group by k)"
                + " select k from t where n = (select max(n) from t)");
    }

    @Test
    void notInOneTask() {
        fixture.limits(new PlanningLimits(1e9, 10_000));
        notShared(TOTALS + "select k from t where n = (select max(n) from t)");
    }
}
