package io.skep.tez;

import static io.skep.tez.PairPlans.BY_KEY;
import static io.skep.tez.PairPlans.graph;
import static io.skep.tez.PairPlans.hashed;
import static io.skep.tez.PairPlans.join;
import static io.skep.tez.PairPlans.pairs;
import static io.skep.tez.PairPlans.remote;
import static io.skep.tez.PairPlans.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.OperatorStats;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.StageGraph;
import io.skep.llap.client.TaskSubmission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A join is built from its planned probe side when that side is in fact much smaller. */
@ExtendWith(SharedTezSite.class)
@Timeout(300)
final class TestSwitchedJoins {
    private static final Map<String, String> AS_PLANNED = Map.of("hive.tez.auto.reducer.parallelism", "false");
    private static final Map<String, String> SMALL = Map.of(
            "hive.exec.reducers.bytes.per.reducer", "3000", "skep.tez.skew-factor", "2", "skep.tez.skew-size", "10000");
    private static final Set<JoinKind> SWITCHED =
            EnumSet.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL);

    @Test
    void joinsOfAnyKindGiveTheSame(TezSite site) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (JoinKind kind : JoinKind.values()) {
            StageGraph graph = joined(kind, 20 + random.nextInt(50), 2000 + random.nextInt(1000), 100);
            QueryOutcome outcome = site.run(graph, SMALL);
            QueryOutcome planned = site.run(graph, AS_PLANNED);
            assertThat(outcome.rows())
                    .as("%s join, seed %d", kind, seed)
                    .containsExactlyInAnyOrderElementsOf(planned.rows());
            assertThat(joinedRows(outcome))
                    .as("%s join, seed %d", kind, seed)
                    .hasSize(4)
                    .isEqualTo(joinedRows(planned));
            assertThat(outcome.tasks(3))
                    .extracting(TaskSubmission::mirroredJoins)
                    .as("%s join, seed %d", kind, seed)
                    .containsOnly(SWITCHED.contains(kind) ? Set.of(1) : Set.of());
        }
    }

    @Test
    void sidesStayWhereTheyAreUnlessOneIsMuchLarger(TezSite site) {
        assertThat(site.run(joined(JoinKind.INNER, 500, 1000, 100), SMALL).tasks(3))
                .extracting(TaskSubmission::mirroredJoins)
                .containsOnly(Set.of());
        Map<String, String> never = new HashMap<>(SMALL);
        never.put("skep.tez.join-switch-factor", "0");
        assertThat(site.run(joined(JoinKind.INNER, 10, 1000, 100), never).tasks(3))
                .extracting(TaskSubmission::mirroredJoins)
                .containsOnly(Set.of());
    }

    /** The planned build side is skewed. When it becomes the probe side, several tasks share it. */
    @Test
    void aSkewedBuildSideIsSlicedWhenItIsProbed(TezSite site) {
        StageGraph graph = graph(
                single(0, pairs(0, 20, row -> row), BY_KEY),
                single(1, pairs(0, 4000, row -> row % 10 == 0 ? row % 7 : 0), new Fragment.Output.Hash(List.of(1))),
                hashed(2, remote(1), BY_KEY),
                hashed(3, join(JoinKind.INNER, remote(0), remote(2)), new Fragment.Output.Gather()));
        QueryOutcome outcome = site.run(graph, SMALL);
        List<TaskSubmission> tasks = outcome.tasks(3);
        assertThat(tasks).extracting(TaskSubmission::mirroredJoins).containsOnly(Set.of(0));
        assertThat(tasks.stream().map(TaskSubmission::reads).distinct().count()).isLessThan(tasks.size());
        assertThat(outcome.rows())
                .hasSize(4000)
                .containsExactlyInAnyOrderElementsOf(site.run(graph, AS_PLANNED).rows());
    }

    /** Returns the rows that left both joins of {@link #joined} and the sides of the lower one. */
    private static List<Long> joinedRows(QueryOutcome outcome) {
        return outcome.stats().fragments().get(3).operators().stream()
                .limit(4)
                .map(OperatorStats::outputRows)
                .toList();
    }

    /** Returns a join of fragments 0 and 1 below a join with a broadcast. */
    private static StageGraph joined(JoinKind kind, int probed, int built, int keys) {
        return graph(
                single(0, pairs(0, probed, row -> row % keys), BY_KEY),
                single(1, pairs(50_000, built, row -> row % (keys + 20)), BY_KEY),
                single(2, pairs(90_000, 30, row -> row), new Fragment.Output.Broadcast()),
                hashed(
                        3,
                        join(JoinKind.LEFT, join(kind, remote(0), remote(1)), remote(2)),
                        new Fragment.Output.Gather()));
    }
}
