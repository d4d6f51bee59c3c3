package io.skep.tez;

import static io.skep.tez.PairPlans.BY_KEY;
import static io.skep.tez.PairPlans.PAIR;
import static io.skep.tez.PairPlans.graph;
import static io.skep.tez.PairPlans.hashed;
import static io.skep.tez.PairPlans.join;
import static io.skep.tez.PairPlans.pairs;
import static io.skep.tez.PairPlans.remote;
import static io.skep.tez.PairPlans.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Vertices get as many tasks as their input is worth, and their results stay the same. */
@ExtendWith(SharedTezSite.class)
@Timeout(300)
final class TestSizedVertices {
    private static final Fragment.Output GATHER = new Fragment.Output.Gather();
    private static final Map<String, String> AS_PLANNED = Map.of("hive.tez.auto.reducer.parallelism", "false");
    private static final Map<String, String> FINEST = Map.of("hive.exec.reducers.bytes.per.reducer", "1");

    @Test
    void littleGoesToOneTask(TezSite site) {
        QueryOutcome outcome = site.run(counts(0, 5000, 5), Map.of());
        assertThat(outcome.rows())
                .containsExactlyInAnyOrderElementsOf(
                        site.run(counts(0, 5000, 5), AS_PLANNED).rows());
        assertThat(partitions(outcome, 1)).containsExactly(new PartitionRange(0, site.planned()));
        assertThat(outcome.stats().withoutOperators().fragments())
                .containsExactly(
                        new FragmentStats(0, 1, 0, 1, 0, 5000),
                        new FragmentStats(1, 1, 0, 1, 0, 5),
                        new FragmentStats(2, 1, 0, 1, 0, 5));
    }

    @Test
    void whatIsWorthItGoesToTheTasksThatWerePlanned(TezSite site) {
        for (Map<String, String> settings : List.of(FINEST, AS_PLANNED)) {
            QueryOutcome outcome = site.run(counts(0, 5000, 1000), settings);
            assertThat(partitions(outcome, 1))
                    .containsExactlyElementsOf(IntStream.range(0, site.planned())
                            .mapToObj(PartitionRange::of)
                            .toList());
            assertThat(outcome.stats().fragments().get(1).tasks()).isEqualTo(site.planned());
            assertThat(outcome.rows()).hasSize(1000);
        }
    }

    @Test
    void partitionsWithoutRowsCostNoTask(TezSite site) {
        QueryOutcome outcome = site.run(counts(0, 5000, 1), FINEST);
        assertThat(outcome.rows()).containsExactly(List.of(new Datum.OfLong(0), new Datum.OfLong(5000)));
        assertThat(outcome.tasks(1)).hasSize(1);
    }

    @Test
    void aSortedInputIsMergedInItsOrder(TezSite site) {
        SortKey ascending = new SortKey(0, true, true);
        PlanNode sorted = new PlanNode.Sort(pairs(0, 3000, row -> row), List.of(ascending));
        StageGraph graph = new StageGraph(
                List.of(
                        single(0, sorted, BY_KEY),
                        hashed(1, new PlanNode.RemoteSource(List.of(0), PAIR, List.of(ascending)), GATHER),
                        single(2, new PlanNode.RemoteSource(List.of(1), PAIR, List.of(ascending)), GATHER)),
                List.of("k", "n"),
                PAIR,
                List.of(),
                1e7);
        QueryOutcome outcome = site.run(graph, Map.of("hive.exec.reducers.bytes.per.reducer", "20000"));
        assertThat(outcome.tasks(1)).hasSizeBetween(2, site.planned() - 1);
        assertThat(outcome.rows().stream().map(List::getFirst))
                .containsExactlyElementsOf(LongStream.range(0, 3000)
                        .<Datum>mapToObj(Datum.OfLong::new)
                        .toList());
    }

    @Test
    void joinsOfAnyKindGiveTheSameWithAnyNumberOfTasks(TezSite site) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (JoinKind kind : JoinKind.values()) {
            StageGraph graph = joins(kind, random);
            QueryOutcome planned = site.run(graph, AS_PLANNED);
            for (String bytes : List.of("1", String.valueOf(1 + random.nextInt(20_000)), "1000000")) {
                QueryOutcome outcome = site.run(graph, Map.of("hive.exec.reducers.bytes.per.reducer", bytes));
                assertThat(outcome.rows())
                        .as("%s join, %s bytes a task, seed %d", kind, bytes, seed)
                        .containsExactlyInAnyOrderElementsOf(planned.rows());
                List<TaskSubmission> tasks = outcome.tasks(4);
                assertThat(tasks.stream().mapToInt(task -> task.reads().count()).sum())
                        .isEqualTo(site.planned());
            }
        }
    }

    /** Returns a graph with two producers and a broadcast for two joins in sequence. */
    private static StageGraph joins(JoinKind kind, Random random) {
        int keys = 1 + random.nextInt(500);
        PlanNode twice = join(JoinKind.LEFT, join(kind, remote(0, 1), remote(2)), remote(3));
        return graph(
                single(0, pairs(0, random.nextInt(1000), row -> row % keys), BY_KEY),
                single(1, pairs(5000, random.nextInt(1000), row -> row % keys), BY_KEY),
                single(2, pairs(100_000, random.nextInt(1000), row -> row % (keys + 50)), BY_KEY),
                single(3, pairs(0, 20, row -> row), new Fragment.Output.Broadcast()),
                hashed(4, twice, GATHER));
    }

    private static List<PartitionRange> partitions(QueryOutcome outcome, int fragment) {
        return outcome.tasks(fragment).stream().map(TaskSubmission::reads).toList();
    }

    /** Returns a graph that counts the rows of each key. */
    private static StageGraph counts(long first, int rows, int keys) {
        AggregateCall count = new AggregateCall(
                "count", false, List.of(), OptionalInt.empty(), List.of(), PrimitiveType.BIGINT, PrimitiveType.BIGINT);
        PlanNode grouped = new PlanNode.Aggregate(remote(0), PlanNode.AggregateStep.SINGLE, List.of(0), List.of(count));
        return graph(single(0, pairs(first, rows, row -> row % keys), BY_KEY), hashed(1, grouped, GATHER));
    }
}
