package io.skep.tez;

import static io.skep.tez.PairPlans.BY_KEY;
import static io.skep.tez.PairPlans.graph;
import static io.skep.tez.PairPlans.hashed;
import static io.skep.tez.PairPlans.join;
import static io.skep.tez.PairPlans.pairs;
import static io.skep.tez.PairPlans.remote;
import static io.skep.tez.PairPlans.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.StageGraph;
import io.skep.llap.client.TaskSubmission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A partition that receives nearly all rows is read by several tasks where that is correct. Together they return what
 * one task would.
 */
@ExtendWith(SharedTezSite.class)
@Timeout(300)
final class TestSkewedVertices {
    /** The fragment with the skewed partition. */
    private static final int SKEWED = 3;

    private static final Map<String, String> AS_PLANNED = Map.of("hive.tez.auto.reducer.parallelism", "false");
    private static final Map<String, String> SMALL = Map.of(
            "hive.exec.reducers.bytes.per.reducer", "3000", "skep.tez.skew-factor", "2", "skep.tez.skew-size", "10000");
    private static final Set<JoinKind> SLICED = EnumSet.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI);

    @Test
    void joinsOfAnyKindGiveTheSame(TezSite site) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (JoinKind kind : JoinKind.values()) {
            StageGraph graph = skewed(random, join(kind, remote(1), remote(2)));
            QueryOutcome outcome = site.run(graph, SMALL);
            assertThat(outcome.rows())
                    .as("%s join, seed %d", kind, seed)
                    .containsExactlyInAnyOrderElementsOf(
                            site.run(graph, AS_PLANNED).rows());
            assertThat(sliced(outcome)).as("%s join, seed %d", kind, seed).isEqualTo(SLICED.contains(kind));
            assertThat(outcome.tasks(SKEWED)).hasSizeLessThanOrEqualTo(site.planned());
        }
    }

    @Test
    void groupsAreNotDivided(TezSite site) {
        PlanNode join = join(JoinKind.LEFT, remote(1), remote(2));
        AggregateCall count = new AggregateCall(
                "count", false, List.of(), OptionalInt.empty(), List.of(), PrimitiveType.BIGINT, PrimitiveType.BIGINT);
        PlanNode grouped = new PlanNode.Aggregate(join, PlanNode.AggregateStep.SINGLE, List.of(0), List.of(count));
        StageGraph graph = skewed(new Random(1), grouped);
        QueryOutcome outcome = site.run(graph, SMALL);
        assertThat(outcome.rows())
                .containsExactlyInAnyOrderElementsOf(site.run(graph, AS_PLANNED).rows());
        assertThat(sliced(outcome)).isFalse();
    }

    @Test
    void itIsASetting(TezSite site) {
        StageGraph graph = skewed(new Random(1), join(JoinKind.LEFT, remote(1), remote(2)));
        assertThat(sliced(site.run(graph, SMALL))).isTrue();
        for (Map<String, String> never :
                List.of(Map.of("skep.tez.skew-factor", "0"), Map.of("skep.tez.skew-size", "1gb"))) {
            Map<String, String> settings = new HashMap<>(SMALL);
            settings.putAll(never);
            assertThat(sliced(site.run(graph, settings))).isFalse();
        }
    }

    /** Nine of ten rows of fragment 1, which has several tasks, have the key 0. */
    private static StageGraph skewed(Random random, PlanNode node) {
        int keys = 2 + random.nextInt(50);
        return graph(
                single(
                        0,
                        pairs(0, 3000 + random.nextInt(2000), row -> row % 10 == 0 ? row % keys : 0),
                        new Fragment.Output.Hash(List.of(1))),
                hashed(1, remote(0), BY_KEY),
                single(2, pairs(100_000, 3 + random.nextInt(60), row -> 2 * row), BY_KEY),
                hashed(SKEWED, node, new Fragment.Output.Gather()));
    }

    /** Whether some tasks read the rows of only a part of the producing tasks. */
    private static boolean sliced(QueryOutcome outcome) {
        List<TaskSubmission> tasks = outcome.tasks(SKEWED);
        long all = tasks.stream().map(TaskSubmission::reads).distinct().count();
        return all < tasks.size();
    }
}
