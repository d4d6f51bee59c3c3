package io.skep.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.tez.dag.TezRunner;
import io.skep.tez.session.TezSession;
import io.skep.tez.session.TezSessionConfig;
import io.skep.tez.session.TezSessionPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestTezRunner {
    private Optional<LlapDaemon> daemon = Optional.empty();
    private Optional<TezRunner> runner = Optional.empty();
    private Optional<FlakyDaemon> flaky = Optional.empty();
    private int queries;

    @BeforeAll
    void start(@TempDir Path folder) {
        LlapDaemon started = SmallDaemon.start(0, folder.resolve("spill"), peer -> daemon.orElseThrow());
        daemon = Optional.of(started);
        flaky = Optional.of(new FlakyDaemon(started));
        List<DaemonConnection> daemons = List.of(flaky.get());
        runner = Optional.of(
                TezRunner.local(() -> daemons, new TezSessionConfig(folder.resolve("tez"), 2, 2, Map.of())));
    }

    @AfterAll
    void stop() {
        runner.orElseThrow().close();
        daemon.orElseThrow().close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(daemon.orElseThrow().snapshot().leftovers()).isEmpty();
    }

    @Test
    void oneFragmentGivesItsRows() {
        try (StageGraphExecution execution = run(graph(10, fragment(0, values(0, 5), new Fragment.Output.Gather())))) {
            assertThat(drain(execution)).containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    void rowsGoThroughHashAndBroadcastEdges() {
        Fragment hashed = fragment(0, values(0, 5000), new Fragment.Output.Hash(List.of(0)));
        Fragment broadcast = fragment(1, values(10_000, 10), new Fragment.Output.Broadcast());
        Fragment middle = new Fragment(
                2,
                new PlanNode.UnionAll(List.of(remote(0), remote(1))),
                Fragment.Distribution.HASH,
                new Fragment.Output.Gather());
        Fragment root = fragment(3, remote(2), new Fragment.Output.Gather());
        Map<String, String> asPlanned = Map.of("hive.tez.auto.reducer.parallelism", "false");
        try (StageGraphExecution execution = run(graph(1e6, hashed, broadcast, middle, root), asPlanned)) {
            List<Long> expected =
                    new ArrayList<>(LongStream.range(0, 5000).boxed().toList());
            LongStream.range(10_000, 10_010).forEach(value -> expected.addAll(List.of(value, value)));
            assertThat(drain(execution)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void figuresComeWithTheEnd() {
        StageGraphExecution execution = run(graph(10, fragment(0, values(0, 500), new Fragment.Output.Gather())));
        drain(execution);
        execution.close();
        ExecutionStats stats = execution.stats();
        assertThat(stats.scheduler()).isEqualTo("tez");
        assertThat(stats.times().kinds()).contains(OperatorKind.SCAN, OperatorKind.EXCHANGE);
        assertThat(stats.withoutOperators().fragments())
                .containsExactly(new ExecutionStats.FragmentStats(0, 1, 0, 1, 0, 500));
        assertThat(stats.fragments().getFirst().operators())
                .extracting(OperatorStats::tasks, OperatorStats::outputRows)
                .containsExactly(tuple(1L, 500L));
    }

    /** Tez ends a DAG with more counters than a limit, which is 1,200 by default. */
    @Test
    void largePlansHaveFiguresToo() {
        List<PlanNode> inputs = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            inputs.add(values(i, 1));
        }
        StageGraphExecution execution =
                run(graph(10, fragment(0, new PlanNode.UnionAll(inputs), new Fragment.Output.Gather())));
        assertThat(drain(execution)).hasSize(700);
        execution.close();
        assertThat(execution.stats().fragments().getFirst().operators())
                .hasSizeBetween(400, 700)
                .extracting(OperatorStats::tasks)
                .containsOnly(1L);
    }

    @Test
    void aTasksErrorReachesTheClientAsItWas() {
        PlanNode bad = new PlanNode.Project(
                values(0, 3), List.of(new Expression.Call("no_such_function", List.of(), PrimitiveType.BIGINT)));
        Fragment producer = fragment(0, bad, new Fragment.Output.Gather());
        try (StageGraphExecution execution =
                run(graph(10, producer, fragment(1, remote(0), new Fragment.Output.Gather())))) {
            assertThatThrownBy(() -> execution.next().join())
                    .hasCauseInstanceOf(SkepException.class)
                    .cause()
                    .extracting(e -> ((SkepException) e).code())
                    .isNotEqualTo(StandardErrorCode.TEZ_ERROR);
        }
    }

    @Test
    void aCancelledQueryEndsAndTheSessionServesTheNext() {
        Fragment endless = fragment(0, values(0, 200_000), new Fragment.Output.Gather());
        try (StageGraphExecution execution = run(graph(10, endless))) {
            assertThat(execution.next().join()).isPresent();
            execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            CompletableFuture<Optional<Batch>> next = execution.next();
            assertThatThrownBy(next::join).hasMessageContaining("enough");
        }
        try (StageGraphExecution execution = run(graph(10, fragment(0, values(7, 1), new Fragment.Output.Gather())))) {
            assertThat(drain(execution)).containsExactly(7L);
        }
    }

    @Test
    void aTaskThatFailsForReasonsOutsideOfTheQueryIsTriedAgain() {
        flaky.orElseThrow().failOnce(0);
        Fragment producer = fragment(0, values(0, 50), new Fragment.Output.Gather());
        try (StageGraphExecution execution =
                run(graph(10, producer, fragment(1, remote(0), new Fragment.Output.Gather())))) {
            assertThat(drain(execution)).hasSize(50);
        }
        assertThat(flaky.orElseThrow().attempts()).containsExactly("0-0-0", "0-0-1", "1-0-0");
    }

    @Test
    void aSessionThatDiedTakesNothingAndIsReplaced() {
        StageGraph graph = graph(10, fragment(0, values(3, 1), new Fragment.Output.Gather()));
        try (StageGraphExecution warming = run(graph)) {
            assertThat(drain(warming)).containsExactly(3L);
        }
        TezSessionPool sessions = runner.orElseThrow().sessions();
        TezSession dead = sessions.acquire(Optional.empty()).join();
        dead.close();
        sessions.release(dead, true);
        try (StageGraphExecution refused = run(graph)) {
            assertThatThrownBy(() -> drain(refused))
                    .cause()
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TEZ_MASTER_LOST));
            assertThat(refused.mayHaveStarted())
                    .as("it may run again, also when it writes")
                    .isFalse();
        }
        try (StageGraphExecution another = run(graph)) {
            assertThat(drain(another)).containsExactly(3L);
        }
    }

    @Test
    void queriesAtTheSameTimeTakeTurns() {
        List<StageGraphExecution> executions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            executions.add(run(graph(10, fragment(0, values(i, 1), new Fragment.Output.Gather()))));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(drain(executions.get(i))).containsExactly((long) i);
            executions.get(i).close();
        }
    }

    private StageGraphExecution run(StageGraph graph) {
        return run(graph, Map.of());
    }

    private StageGraphExecution run(StageGraph graph, Map<String, String> settings) {
        QueryId id = new QueryId("tez" + queries++);
        return runner.orElseThrow().start(new StageGraphRun(id, graph, Map.of(), settings));
    }

    private static StageGraph graph(double rows, Fragment... fragments) {
        return new StageGraph(List.of(fragments), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), rows);
    }

    private static Fragment fragment(int id, PlanNode node, Fragment.Output output) {
        return new Fragment(id, node, Fragment.Distribution.SINGLE, output);
    }

    private static PlanNode values(long first, int rows) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(first + i)));
        }
        return new PlanNode.Values(List.of(PrimitiveType.BIGINT), data);
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), List.of(PrimitiveType.BIGINT), List.of());
    }

    private static List<Long> drain(StageGraphExecution execution) {
        List<Long> rows = new ArrayList<>();
        for (Optional<Batch> next = execution.next().join();
                next.isPresent();
                next = execution.next().join()) {
            LongVector vector = (LongVector) next.get().column(0).flatten();
            LongStream.of(vector.values()).limit(next.get().rowCount()).forEach(rows::add);
        }
        return rows;
    }
}
