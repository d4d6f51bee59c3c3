package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the steps of aggregations and the exchange between them. */
class TestAggregatePlanning {
    private final RelFixture fixture = new RelFixture()
            .table("t", "k int, g int, v int", 100_000)
            .choices(RelFixture.NONE)
            .limits(PlanningLimits.SPREAD);

    private List<AggregateStep> steps(String sql) {
        return PlanNodes.all(PlanNode.Aggregate.class, fixture.planned(sql)).stream()
                .map(PlanNode.Aggregate::step)
                .toList();
    }

    @Test
    void statesAreSentByTheirKeys() {
        PhysicalPlan plan = fixture.planned("select g, sum(v) from t group by g");
        List<PlanNode.Aggregate> steps = PlanNodes.all(PlanNode.Aggregate.class, plan);
        assertThat(steps)
                .extracting(PlanNode.Aggregate::step)
                .containsExactly(AggregateStep.PARTIAL, AggregateStep.FINAL);
        assertThat(plan.graph().fragments().getFirst().output()).isEqualTo(new Fragment.Output.Hash(List.of(0)));
        assertThat(steps.getLast().calls().getFirst().arguments()).containsExactly(1);
    }

    @Test
    void statesWithoutKeysAreGathered() {
        PhysicalPlan plan = fixture.planned("select sum(v), count(*) from t");
        assertThat(plan.graph().fragments()).hasSize(2);
        assertThat(plan.graph().fragments().getFirst().output()).isEqualTo(new Fragment.Output.Gather());
    }

    @Test
    void oneStepInOneTask() {
        fixture.limits(new PlanningLimits(1e9, 0));
        assertThat(steps("select g, sum(v) from t group by g")).containsExactly(AggregateStep.SINGLE);
    }

    @Test
    void oneStepWhereGroupsAreTogether() {
        String inner = "(select k, g, count(*) as n from t group by k, g) x";
        // The inner aggregation places rows by k and g. Groups of g alone are not together.
        assertThat(steps("select g, max(n) from " + inner + " group by g"))
                .containsExactly(
                        AggregateStep.PARTIAL, AggregateStep.PARTIAL, AggregateStep.FINAL, AggregateStep.FINAL);
        assertThat(steps("select g, n, max(k) from " + inner + " group by g, n"))
                .containsExactly(
                        AggregateStep.PARTIAL, AggregateStep.PARTIAL, AggregateStep.FINAL, AggregateStep.FINAL);
        assertThat(steps("select k, g, n, count(*) from " + inner + " group by k, g, n"))
                .containsExactly(AggregateStep.PARTIAL, AggregateStep.SINGLE, AggregateStep.FINAL);
    }

    /** A distinct aggregate is a grouping by its argument, then a plain aggregate. */
    @Test
    void distinctAggregates() {
        PhysicalPlan plan = fixture.planned("select g, count(distinct v) from t group by g");
        assertThat(PlanNodes.all(PlanNode.Aggregate.class, plan))
                .flatExtracting(PlanNode.Aggregate::calls)
                .extracting(AggregateCall::distinct)
                .containsOnly(false);
    }

    @Test
    void groupingSetsExpandTheRows() {
        PhysicalPlan plan = fixture.planned("select k, g, sum(v) from t group by k, g with rollup");
        PlanNode.Expand expand = PlanNodes.only(PlanNode.Expand.class, plan);
        assertThat(expand.projections()).hasSize(3);
        // The number of the set is a group column of its own.
        assertThat(PlanNodes.all(PlanNode.Aggregate.class, plan).getFirst().groupColumns())
                .hasSize(3);
    }
}
