package io.skep.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.SortKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestSkewSplittableInputs {
    private static final List<SqlType> TYPES = List.of(PrimitiveType.BIGINT);
    private static final List<SortKey> ORDER = List.of(new SortKey(0, true, true));
    private static final Expression COLUMN = new Expression.InputColumn(0, PrimitiveType.BIGINT);

    private static PlanNode remote(Integer... fragments) {
        return new PlanNode.RemoteSource(List.of(fragments), TYPES, List.of());
    }

    private static PlanNode join(JoinKind kind, PlanNode left, PlanNode right) {
        return new PlanNode.Join(kind, left, right, List.of(0), List.of(0), List.of(false), Optional.empty());
    }

    private static PlanNode grouped(AggregateStep step, PlanNode input) {
        return new PlanNode.Aggregate(input, step, List.of(0), List.of());
    }

    @Test
    void theProbeSideOfAJoinThatGivesNoRowsOfTheOtherAlone() {
        Map<JoinKind, Set<Integer>> expected = Map.of(
                JoinKind.INNER, Set.of(1, 2),
                JoinKind.LEFT, Set.of(1, 2),
                JoinKind.SEMI, Set.of(1, 2),
                JoinKind.ANTI, Set.of(1, 2),
                JoinKind.RIGHT, Set.of(),
                JoinKind.FULL, Set.of());
        for (JoinKind kind : JoinKind.values()) {
            assertThat(SkewSplittableInputs.of(join(kind, remote(1, 2), remote(3))))
                    .as(kind.toString())
                    .isEqualTo(expected.get(kind));
        }
    }

    @Test
    void onlyTheLowestProbeSideOfSeveralJoins() {
        PlanNode lower = join(JoinKind.LEFT, remote(1), remote(2));
        assertThat(SkewSplittableInputs.of(join(JoinKind.SEMI, lower, remote(3))))
                .containsExactly(1);
        assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, remote(4), lower)))
                .containsExactly(4);
        PlanNode full = join(JoinKind.FULL, remote(1), remote(2));
        assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, full, remote(3))))
                .isEmpty();
        assertThat(SkewSplittableInputs.of(join(JoinKind.RIGHT, lower, remote(3))))
                .isEmpty();
    }

    @Test
    void throughOperatorsThatLookAtARowAtATime() {
        PlanNode join = join(JoinKind.INNER, new PlanNode.Filter(remote(1), Expression.Constant.TRUE), remote(2));
        PlanNode above = new PlanNode.TableFunction(
                new PlanNode.Expand(new PlanNode.Project(join, List.of(COLUMN)), List.of(List.of(COLUMN))),
                "explode",
                List.of(COLUMN),
                TYPES,
                false);
        assertThat(SkewSplittableInputs.of(above)).containsExactly(1);
        assertThat(SkewSplittableInputs.of(remote(5))).containsExactly(5);
    }

    @Test
    void aggregationsThatGiveStates() {
        PlanNode join = join(JoinKind.INNER, remote(1), remote(2));
        EnumSet<AggregateStep> states = EnumSet.of(AggregateStep.PARTIAL, AggregateStep.INTERMEDIATE);
        for (AggregateStep step : AggregateStep.values()) {
            Set<Integer> expected = states.contains(step) ? Set.of(1) : Set.of();
            assertThat(SkewSplittableInputs.of(grouped(step, join)))
                    .as("above, %s", step)
                    .isEqualTo(expected);
            assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, grouped(step, remote(1)), remote(2))))
                    .as("below, %s", step)
                    .isEqualTo(expected);
            assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, remote(1), grouped(step, remote(2)))))
                    .as("on the build side, %s", step)
                    .containsExactly(1);
        }
    }

    @Test
    void nothingUnderWhatSeesAllRows() {
        PlanNode join = join(JoinKind.INNER, remote(1), remote(2));
        List<PlanNode> all = List.of(
                new PlanNode.Sort(join, ORDER),
                new PlanNode.TopN(join, ORDER, 10),
                new PlanNode.Limit(join, 0, 10),
                new PlanNode.Window(join, List.of(0), ORDER, List.of()),
                join(JoinKind.INNER, new PlanNode.Sort(remote(1), ORDER), remote(2)),
                new PlanNode.Values(TYPES, List.of()));
        all.forEach(node ->
                assertThat(SkewSplittableInputs.of(node)).as(node.toString()).isEmpty());
    }

    @Test
    void aUnionOnlyAsAWhole() {
        PlanNode join = join(JoinKind.INNER, remote(1), remote(2));
        assertThat(SkewSplittableInputs.of(new PlanNode.UnionAll(List.of(join, remote(3)))))
                .containsExactlyInAnyOrder(1, 3);
        PlanNode values = new PlanNode.Values(TYPES, List.of());
        assertThat(SkewSplittableInputs.of(new PlanNode.UnionAll(List.of(join, values))))
                .isEmpty();
        PlanNode counted = grouped(AggregateStep.FINAL, remote(3));
        assertThat(SkewSplittableInputs.of(new PlanNode.UnionAll(List.of(join, counted))))
                .isEmpty();
    }

    @Test
    void nothingThatIsReadElsewhereToo() {
        assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, remote(1), remote(1))))
                .isEmpty();
        assertThat(SkewSplittableInputs.of(join(JoinKind.INNER, remote(1, 2), remote(2))))
                .isEmpty();
    }
}
