package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.Fragment.Distribution;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the sides of joins, their keys, and the exchanges below them. */
class TestJoinPlanning {
    private static final PlanningLimits SENT = new PlanningLimits(0, 1 << 30);
    private static final PlanningLimits HASHED = new PlanningLimits(0, 0);

    private final RelFixture fixture = new RelFixture()
            .table("large", "k int, v int, s string", 100_000)
            .table("small", "k int, w int, s string", 100)
            .choices(RelFixture.NONE)
            .limits(SENT);

    private PlanNode.Join join(String sql) {
        return PlanNodes.only(PlanNode.Join.class, fixture.planned(sql));
    }

    private static String table(PlanNode node) {
        return node instanceof PlanNode.Scan scan
                ? scan.request().table().name()
                : node.inputs().isEmpty() ? "" : table(node.inputs().getFirst());
    }

    @Test
    void theSmallSideIsTheBuildSide() {
        assertThat(table(join("select v, w from large l join small s on l.k = s.k")
                        .left()))
                .isEqualTo("default.large");
        assertThat(table(join("select v, w from small s join large l on l.k = s.k")
                        .left()))
                .isEqualTo("default.large");
    }

    @Test
    void sidesThatAreExchangedMirrorTheKind() {
        assertThat(join("select v, w from small s left join large l on l.k = s.k")
                        .kind())
                .isEqualTo(JoinKind.RIGHT);
        assertThat(join("select v, w from large l left join small s on l.k = s.k")
                        .kind())
                .isEqualTo(JoinKind.LEFT);
        assertThat(join("select v, w from small s full join large l on l.k = s.k")
                        .kind())
                .isEqualTo(JoinKind.FULL);
    }

    /** The rows of a semi join are those of its left side. */
    @Test
    void sidesOfSemiJoinsStay() {
        PlanNode.Join semi = join("select w from small s left semi join large l on l.k = s.k");
        assertThat(semi.kind()).isEqualTo(JoinKind.SEMI);
        assertThat(table(semi.left())).isEqualTo("default.small");
    }

    @Test
    void columnsKeepTheirPlaces() {
        PhysicalPlan plan = fixture.planned("select * from small s join large l on l.k = s.k");
        assertThat(plan.graph().columnNames()).containsExactly("k", "w", "s", "k", "v", "s");
        PlanNode.Project project = PlanNodes.only(PlanNode.Project.class, plan);
        assertThat(project.expressions()).extracting("index").containsExactly(3, 4, 5, 0, 1, 2);
    }

    @Test
    void equalitiesAreKeysAndTheRestIsChecked() {
        PlanNode.Join join = join("select v, w from large l join small s on l.k = s.k and l.s <=> s.s and l.v > s.w");
        assertThat(join.leftKeys()).hasSize(2);
        assertThat(join.nullSafe()).containsExactly(false, true);
        assertThat(join.residual()).isPresent();
    }

    @Test
    void keysOfSeveralColumnsAreComputedBelow() {
        PlanNode.Join join = join("select v, w from large l join small s on l.k + l.v = s.k + s.w");
        assertThat(join.leftKeys()).hasSize(1);
        assertThat(join.left()).isInstanceOf(PlanNode.Project.class);
        assertThat(join.residual()).isEmpty();
    }

    @Test
    void smallBuildSidesAreSentToAllTasks() {
        PhysicalPlan plan = fixture.planned("select v, w from large l join small s on l.k = s.k");
        assertThat(plan.graph().fragments())
                .extracting(Fragment::output)
                .containsExactly(
                        new Fragment.Output.Broadcast(), new Fragment.Output.Gather(), new Fragment.Output.Gather());
        assertThat(plan.graph().fragments().get(1).distribution()).isEqualTo(Distribution.SOURCE);
    }

    @Test
    void largeBuildSidesAreHashed() {
        fixture.limits(HASHED);
        PhysicalPlan plan = fixture.planned("select v, w from large l join small s on l.k = s.k");
        assertThat(plan.graph().fragments().subList(0, 2))
                .extracting(Fragment::output)
                .allMatch(Fragment.Output.Hash.class::isInstance);
        assertThat(plan.graph().fragments().get(2).distribution()).isEqualTo(Distribution.HASH);
    }

    /** Each task would return the unmatched rows of the build side. */
    @Test
    void buildSidesWhoseUnmatchedRowsAreKeptAreNotSentToAllTasks() {
        for (String kind : List.of("right", "full")) {
            PhysicalPlan plan = fixture.planned("select v, w from large l " + kind + " join small s on l.k = s.k");
            assertThat(plan.graph().fragments())
                    .extracting(Fragment::output)
                    .doesNotContain(new Fragment.Output.Broadcast());
        }
    }

    @Test
    void withoutKeysTheBuildSideIsAlwaysSent() {
        fixture.limits(HASHED);
        PhysicalPlan plan = fixture.planned("select v, w from large l join small s on l.v > s.w");
        assertThat(PlanNodes.only(PlanNode.Join.class, plan).leftKeys()).isEmpty();
        assertThat(plan.graph().fragments().getFirst().output()).isEqualTo(new Fragment.Output.Broadcast());
    }

    @Test
    void oneTaskNeedsNoExchange() {
        fixture.limits(new PlanningLimits(1e9, 0));
        assertThat(fixture.planned("select v, w from large l join small s on l.k = s.k")
                        .graph()
                        .fragments())
                .hasSize(1);
    }

    /** An aggregation by the join's keys needs no further exchange. */
    @Test
    void rowsStayInTheirPlaceForAnAggregation() {
        fixture.limits(HASHED);
        PhysicalPlan plan = fixture.planned("select l.k, count(*) from large l join small s on l.k = s.k group by l.k");
        assertThat(PlanNodes.all(PlanNode.Aggregate.class, plan))
                .singleElement()
                .extracting(PlanNode.Aggregate::step)
                .isEqualTo(PlanNode.AggregateStep.SINGLE);
    }
}
