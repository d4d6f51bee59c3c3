package io.skep.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.engine.schedule.SwappedJoins.Candidate;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestSwappedJoins {
    private static final List<SqlType> THREE =
            List.of(PrimitiveType.BIGINT, PrimitiveType.BIGINT, PrimitiveType.BIGINT);
    private static final List<SqlType> TWO = THREE.subList(0, 2);
    private static final Set<JoinKind> WITH_IMAGE = EnumSet.complementOf(EnumSet.of(JoinKind.SEMI, JoinKind.ANTI));

    private static PlanNode remote(Integer... fragments) {
        return new PlanNode.RemoteSource(List.of(fragments), TWO, List.of());
    }

    private static PlanNode.Join join(JoinKind kind, PlanNode left, PlanNode right, Optional<Expression> residual) {
        return new PlanNode.Join(kind, left, right, List.of(0), List.of(1), List.of(false), residual);
    }

    private static PlanNode.Join join(JoinKind kind, PlanNode left, PlanNode right) {
        return join(kind, left, right, Optional.empty());
    }

    private static Expression column(int index) {
        return new Expression.InputColumn(index, PrimitiveType.BIGINT);
    }

    @Test
    void candidatesAreJoinsOfRowsOfOtherFragmentsThatHaveAMirrorImage() {
        for (JoinKind kind : JoinKind.values()) {
            PlanNode filtered = new PlanNode.Filter(
                    new PlanNode.Project(remote(3), List.of(column(1), column(0))), Expression.Constant.TRUE);
            List<Candidate> expected =
                    WITH_IMAGE.contains(kind) ? List.of(new Candidate(0, Set.of(1, 2), Set.of(3))) : List.of();
            assertThat(SwappedJoins.candidates(join(kind, remote(1, 2), filtered)))
                    .as(kind.toString())
                    .isEqualTo(expected);
        }
    }

    @Test
    void joinsAreNumberedFromTheRootLeftFirst() {
        PlanNode left = join(JoinKind.INNER, remote(1), remote(2));
        PlanNode right = join(JoinKind.FULL, remote(3), remote(4));
        assertThat(SwappedJoins.candidates(join(JoinKind.INNER, left, right)))
                .containsExactly(new Candidate(1, Set.of(1), Set.of(2)), new Candidate(2, Set.of(3), Set.of(4)));
    }

    @Test
    void othersAreNot() {
        PlanNode grouped = new PlanNode.Aggregate(remote(1), PlanNode.AggregateStep.FINAL, List.of(0, 1), List.of());
        PlanNode.Join withFilter = new PlanNode.Join(
                JoinKind.INNER,
                remote(1),
                remote(2),
                List.of(0),
                List.of(1),
                List.of(false),
                Optional.empty(),
                List.of(new RuntimeFilter(0, 0)));
        PlanNode.Join withoutKeys = new PlanNode.Join(
                JoinKind.INNER, remote(1), remote(2), List.of(), List.of(), List.of(), Optional.empty());
        for (PlanNode node : List.of(join(JoinKind.INNER, grouped, remote(2)), withFilter, withoutKeys)) {
            assertThat(SwappedJoins.candidates(node)).as(node.toString()).isEmpty();
        }
        PlanNode semi = join(JoinKind.SEMI, remote(1), remote(2));
        assertThatThrownBy(() -> SwappedJoins.in(semi, Set.of(0))).isInstanceOf(IllegalArgumentException.class);
        assertThat(SwappedJoins.in(semi, Set.of())).isSameAs(semi);
    }

    @Test
    void theSidesAndAllThatNamesTheirColumnsChange() {
        Expression residual = new Expression.Call("<", List.of(column(1), column(2)), PrimitiveType.BOOLEAN);
        PlanNode two = new PlanNode.RemoteSource(List.of(1), TWO, List.of());
        PlanNode three = new PlanNode.RemoteSource(List.of(2), THREE, List.of());
        PlanNode mirrored = SwappedJoins.in(join(JoinKind.LEFT, two, three, Optional.of(residual)), Set.of(0));
        Expression swapped = new Expression.Call("<", List.of(column(4), column(0)), PrimitiveType.BOOLEAN);
        assertThat(mirrored)
                .isEqualTo(new PlanNode.Project(
                        new PlanNode.Join(
                                JoinKind.RIGHT,
                                three,
                                two,
                                List.of(1),
                                List.of(0),
                                List.of(false),
                                Optional.of(swapped)),
                        List.of(column(3), column(4), column(0), column(1), column(2))));
    }

    @Test
    void nodesKeepThePositionsOfThePlan() {
        PlanNode lower = join(JoinKind.INNER, new PlanNode.Filter(remote(1), Expression.Constant.TRUE), remote(2));
        PlanNode upper = join(JoinKind.INNER, lower, remote(3));
        assertThat(SwappedJoins.origins(upper, Set.of())).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(SwappedJoins.origins(upper, Set.of(0))).containsExactly(-1, 0, 5, 1, 2, 3, 4);
        assertThat(SwappedJoins.origins(upper, Set.of(1))).containsExactly(0, -1, 1, 4, 2, 3, 5);
        assertThat(SwappedJoins.origins(upper, Set.of(0, 1))).containsExactly(-1, 0, 5, -1, 1, 4, 2, 3);
        for (Set<Integer> joins : List.of(Set.of(0), Set.of(1), Set.of(0, 1))) {
            List<PlanNode> before = new ArrayList<>();
            List<PlanNode> after = new ArrayList<>();
            upper.walk(before::add);
            SwappedJoins.in(upper, joins).walk(after::add);
            List<Integer> origins = SwappedJoins.origins(upper, joins);
            for (int i = 0; i < after.size(); i++) {
                Class<?> origin = origins.get(i) < 0
                        ? PlanNode.Project.class
                        : before.get(origins.get(i)).getClass();
                assertThat(after.get(i)).isInstanceOf(origin);
            }
        }
    }

    @Test
    void theRowsAreTheSame(@TempDir Path folder) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Expression residual = new Expression.Call("<", List.of(column(1), column(4)), PrimitiveType.BOOLEAN);
        try (PlanRunner runner = new PlanRunner(folder, 1 << 26)) {
            for (int round = 0; round < 40; round++) {
                PlanNode left = values(random, 2);
                PlanNode right = values(random, 3);
                for (JoinKind kind : WITH_IMAGE) {
                    Optional<Expression> condition = random.nextBoolean() ? Optional.of(residual) : Optional.empty();
                    PlanNode lower = new PlanNode.Join(
                            kind, left, right, List.of(0), List.of(1), List.of(random.nextBoolean()), condition);
                    PlanNode upper = join(JoinKind.LEFT, lower, values(random, 2));
                    for (Set<Integer> joins : List.of(Set.of(0), Set.of(1), Set.of(0, 1))) {
                        assertThat(runner.run(SwappedJoins.in(upper, joins)))
                                .as("%s join, %s mirrored, seed %d", kind, joins, seed)
                                .containsExactlyInAnyOrderElementsOf(runner.run(upper));
                    }
                }
            }
        }
    }

    private static PlanNode values(Random random, int columns) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            List<Datum> row = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                row.add(random.nextInt(8) == 0 ? Datum.NULL : new Datum.OfLong(random.nextInt(10)));
            }
            rows.add(row);
        }
        return new PlanNode.Values(THREE.subList(0, columns), rows);
    }
}
