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

import io.skep.common.vector.Datum;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.StageGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scans through Tez read only the partitions whose values other fragments contain, and queries return the same rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class TestPrunedVertices {
    private static final Fragment.Output GATHER = new Fragment.Output.Gather();
    private static final Fragment.Output BROADCAST = new Fragment.Output.Broadcast();
    private static final DynamicPartitionFilter BY_FRAGMENT_0 = new DynamicPartitionFilter(0, List.of(0), 0);

    private Optional<PartitionedSite> started = Optional.empty();

    @BeforeAll
    void start(@TempDir Path folder) {
        started = Optional.of(new PartitionedSite(folder));
    }

    @AfterAll
    void stop() {
        started.orElseThrow().close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(started.orElseThrow().leftovers()).isEmpty();
    }

    private QueryOutcome run(StageGraph graph) {
        return started.orElseThrow().run(graph, Map.of());
    }

    /** Returns a join whose other side goes to all tasks of the scan. */
    private static StageGraph sent(JoinKind kind, PlanNode keys, DynamicPartitionFilter... filters) {
        PlanNode joined = join(kind, PartitionedSite.scan(1, filters), remote(0));
        return graph(single(0, keys, BROADCAST), new Fragment(1, joined, Fragment.Distribution.SOURCE, GATHER));
    }

    /** Returns a join whose sides are both partitioned. */
    private static StageGraph partitioned(JoinKind kind, PlanNode keys, DynamicPartitionFilter... filters) {
        return graph(
                single(0, keys, BY_KEY),
                new Fragment(1, PartitionedSite.scan(1, filters), Fragment.Distribution.SOURCE, BY_KEY),
                hashed(2, join(kind, remote(1), remote(0)), GATHER));
    }

    @Test
    void theScanThatGetsTheOtherSideReadsItsDays() {
        QueryOutcome outcome = run(sent(JoinKind.INNER, pairs(7, 2, row -> 3 + 4 * row), BY_FRAGMENT_0));
        assertThat(PartitionedSite.days(outcome, 1)).containsExactly("3", "7");
        assertThat(PartitionedSite.taskCount(outcome, 1)).isBetween(1L, 2L);
        assertThat(outcome.stats().splitsLeftOut()).isEqualTo(PartitionedSite.DAYS - 1);
        assertThat(outcome.rows()).hasSize(2 * PartitionedSite.ROWS_A_DAY);
    }

    @Test
    void aScanWaitsForTheOtherSideThatCostsLittle() {
        QueryOutcome outcome = run(partitioned(JoinKind.INNER, pairs(7, 3, row -> 11), BY_FRAGMENT_0));
        assertThat(PartitionedSite.days(outcome, 1)).containsExactly("11");
        assertThat(PartitionedSite.taskCount(outcome, 1)).isEqualTo(1);
        assertThat(outcome.stats().splitsLeftOut()).isEqualTo(PartitionedSite.DAYS);
        assertThat(outcome.rows()).hasSize(3 * PartitionedSite.ROWS_A_DAY);
    }

    @Test
    void aScanDoesNotWaitForOneThatReadsAsMuch() {
        StageGraph graph = graph(
                new Fragment(0, PartitionedSite.scan(0), Fragment.Distribution.SOURCE, BY_KEY),
                new Fragment(1, PartitionedSite.scan(1, BY_FRAGMENT_0), Fragment.Distribution.SOURCE, BY_KEY),
                hashed(2, join(JoinKind.SEMI, remote(1), remote(0)), GATHER));
        QueryOutcome outcome = run(graph);
        assertThat(PartitionedSite.days(outcome, 1)).hasSize(PartitionedSite.DAYS + 1);
        assertThat(outcome.stats().splitsLeftOut()).isZero();
        assertThat(outcome.rows()).hasSize(PartitionedSite.DAYS * PartitionedSite.ROWS_A_DAY);
    }

    @Test
    void withoutAnyValueOneTaskReadsNothing() {
        for (StageGraph graph : List.of(
                sent(JoinKind.INNER, pairs(0, 0, row -> 0), BY_FRAGMENT_0),
                partitioned(JoinKind.INNER, pairs(0, 2, row -> 100), BY_FRAGMENT_0))) {
            QueryOutcome outcome = run(graph);
            assertThat(outcome.rows()).isEmpty();
            assertThat(PartitionedSite.days(outcome, 1)).isEmpty();
            assertThat(PartitionedSite.taskCount(outcome, 1)).isEqualTo(1);
            assertThat(outcome.stats().splitsLeftOut()).isEqualTo(PartitionedSite.DAYS + 1);
        }
    }

    @Test
    void tooManyValuesLeaveOutNullAlone() {
        QueryOutcome outcome =
                run(partitioned(JoinKind.SEMI, pairs(0, ColumnValues.MAX_VALUES + 1, row -> row), BY_FRAGMENT_0));
        assertThat(PartitionedSite.days(outcome, 1))
                .hasSize(PartitionedSite.DAYS)
                .doesNotContain("null");
        assertThat(outcome.stats().splitsLeftOut()).isEqualTo(1);
        assertThat(outcome.rows()).hasSize(PartitionedSite.DAYS * PartitionedSite.ROWS_A_DAY);
    }

    @Test
    void theNumberOfTasksStaysWhereItIsToStay() {
        StageGraph graph = partitioned(JoinKind.INNER, pairs(7, 1, row -> 2), BY_FRAGMENT_0);
        QueryOutcome outcome = started.orElseThrow().run(graph, Map.of("hive.tez.auto.reducer.parallelism", "false"));
        assertThat(PartitionedSite.days(outcome, 1)).containsExactly("2");
        assertThat(PartitionedSite.taskCount(outcome, 1)).isGreaterThan(1);
        assertThat(outcome.rows()).hasSize(PartitionedSite.ROWS_A_DAY);
    }

    /** Two joins in a row. One of them receives rows of fragments with several tasks. */
    @Test
    void allBuildsOfAScanCount() {
        DynamicPartitionFilter byUnion = new DynamicPartitionFilter(0, List.of(1, 2), 0);
        PlanNode twice = join(JoinKind.SEMI, PartitionedSite.scan(1, BY_FRAGMENT_0, byUnion), remote(0));
        StageGraph graph = graph(
                single(0, pairs(0, 6, row -> row), BROADCAST),
                hashed(1, remote(4), BY_KEY),
                single(2, pairs(0, 1, row -> 9), BY_KEY),
                new Fragment(3, twice, Fragment.Distribution.SOURCE, BY_KEY),
                single(4, pairs(0, 20, row -> 4 + row % 2), BY_KEY),
                hashed(5, join(JoinKind.SEMI, remote(3), remote(1, 2)), GATHER));
        // Producers must come before consumers.
        List<Fragment> ordered = new ArrayList<>(graph.fragments());
        ordered.add(1, ordered.remove(4));
        QueryOutcome outcome = run(
                new StageGraph(ordered, graph.columnNames(), graph.columnTypes(), List.of(), graph.estimatedRows()));
        assertThat(PartitionedSite.days(outcome, 3)).containsExactly("4", "5");
        assertThat(outcome.rows()).hasSize(2 * PartitionedSite.ROWS_A_DAY);
    }

    @ParameterizedTest
    @EnumSource(names = {"INNER", "SEMI", "RIGHT"})
    void rowsAreTheSame(JoinKind kind) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 4; i++) {
            PlanNode keys = keys(random);
            List<List<Datum>> expected = run(partitioned(kind, keys)).rows();
            assertThat(run(partitioned(kind, keys, BY_FRAGMENT_0)).rows())
                    .as("%s join, seed %d", kind, seed)
                    .containsExactlyInAnyOrderElementsOf(expected);
            if (kind != JoinKind.RIGHT) {
                assertThat(run(sent(kind, keys, BY_FRAGMENT_0)).rows())
                        .as("%s join, seed %d", kind, seed)
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    /** Returns days that exist and days that do not, and nulls. */
    private static PlanNode keys(Random random) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int row = random.nextInt(6); row > 0; row--) {
            Datum key =
                    random.nextInt(5) == 0 ? Datum.NULL : new Datum.OfLong(random.nextInt(PartitionedSite.DAYS + 3));
            rows.add(List.of(key, new Datum.OfLong(row)));
        }
        return new PlanNode.Values(PAIR, rows);
    }

    /** Several tasks produce the other side. Some are lost after they have reported their values. */
    @Test
    void valuesAreToldAgainByATaskWhoseRowsAreLost(@TempDir Path folder) {
        StageGraph graph = graph(
                single(0, pairs(7, 40, row -> 3 + row % 5), BY_KEY),
                hashed(1, remote(0), BY_KEY),
                new Fragment(
                        2,
                        PartitionedSite.scan(1, new DynamicPartitionFilter(0, List.of(1), 0)),
                        Fragment.Distribution.SOURCE,
                        BY_KEY),
                hashed(3, join(JoinKind.SEMI, remote(2), remote(1)), GATHER));
        try (PartitionedSite site = new PartitionedSite(folder)) {
            site.daemon(1).loseAfter(1);
            QueryOutcome outcome = site.run(graph, Map.of("hive.tez.auto.reducer.parallelism", "false"));
            assertThat(outcome.rows()).hasSize(5 * PartitionedSite.ROWS_A_DAY);
            assertThat(PartitionedSite.days(outcome, 2)).containsOnly("3", "4", "5", "6", "7");
            assertThat(site.daemon(0).attempts()).anyMatch(attempt -> attempt.matches("1-\\d-1"));
            assertThat(outcome.stats().splitsLeftOut()).isEqualTo(PartitionedSite.DAYS + 1 - 5);
        }
    }

    @Test
    void aScanWhoseDaemonIsLostReadsItsShareElsewhere(@TempDir Path folder) {
        try (PartitionedSite site = new PartitionedSite(folder)) {
            site.daemon(1).loseAt(1);
            StageGraph graph = partitioned(JoinKind.SEMI, pairs(0, 8, row -> row), BY_FRAGMENT_0);
            QueryOutcome outcome = site.run(graph, Map.of());
            assertThat(outcome.rows()).hasSize(8 * PartitionedSite.ROWS_A_DAY);
            assertThat(outcome.stats().splitsLeftOut()).isEqualTo(PartitionedSite.DAYS + 1 - 8);
        }
    }
}
