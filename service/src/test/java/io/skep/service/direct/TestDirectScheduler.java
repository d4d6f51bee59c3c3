package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TestDirectScheduler {
    @TempDir
    private Path folder;

    private final Map<DaemonIdentity, LlapDaemon> daemons = new HashMap<>();
    private final List<DaemonConnection> connections = new ArrayList<>();
    private final DirectScheduler scheduler = new DirectScheduler(() -> connections);
    private int queries;

    @BeforeEach
    void start() {
        for (int slot = 0; slot < 2; slot++) {
            LlapDaemon daemon = SmallDaemon.start(slot, folder.resolve("daemon" + slot), this::peer);
            daemons.put(daemon.identity(), daemon);
            connections.add(daemon);
        }
    }

    private DaemonConnection peer(DaemonIdentity identity) {
        LlapDaemon daemon = daemons.get(identity);
        if (daemon == null) {
            throw new IllegalArgumentException("no daemon " + identity);
        }
        return daemon;
    }

    @AfterEach
    void nothingIsLeft() {
        daemons.values()
                .forEach(daemon -> assertThat(daemon.snapshot().leftovers()).isEmpty());
        daemons.values().forEach(LlapDaemon::close);
    }

    @Test
    void aTinyQueryGivesItsRows() {
        try (StageGraphExecution execution = run(graph(1, fragment(0, values(0, 3), new Fragment.Output.Gather())))) {
            assertThat(drain(execution)).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void fragmentsFeedEachOtherAcrossDaemons() {
        Fragment hashed = fragment(0, values(0, 5000), new Fragment.Output.Hash(List.of(0)));
        Fragment broadcast = fragment(1, values(10_000, 10), new Fragment.Output.Broadcast());
        Fragment middle = new Fragment(
                2,
                new PlanNode.UnionAll(List.of(remote(0), remote(1))),
                Fragment.Distribution.HASH,
                new Fragment.Output.Gather());
        Fragment root = fragment(3, remote(2), new Fragment.Output.Gather());
        try (StageGraphExecution execution = run(graph(1e6, hashed, broadcast, middle, root))) {
            List<Long> expected =
                    new ArrayList<>(LongStream.range(0, 5000).boxed().toList());
            LongStream.range(10_000, 10_010).forEach(value -> expected.addAll(List.of(value, value, value, value)));
            assertThat(drain(execution)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void aSharedFragmentIsReadByAllItsConsumers() {
        Fragment shared = fragment(0, values(0, 100), new Fragment.Output.Gather());
        Fragment one = fragment(1, remote(0), new Fragment.Output.Gather());
        Fragment two = fragment(2, remote(0), new Fragment.Output.Gather());
        PlanNode both = new PlanNode.RemoteSource(List.of(1, 2), List.of(PrimitiveType.BIGINT), List.of());
        try (StageGraphExecution execution =
                run(graph(10, shared, one, two, fragment(3, both, new Fragment.Output.Gather())))) {
            assertThat(drain(execution)).hasSize(200);
        }
    }

    @Test
    void theFirstErrorEndsAllTasksAndIsTheOneThatIsReported() {
        PlanNode bad = new PlanNode.Project(
                values(0, 3), List.of(new Expression.Call("no_such_function", List.of(), PrimitiveType.BIGINT)));
        Fragment failing = fragment(0, bad, new Fragment.Output.Gather());
        Fragment other = fragment(1, values(0, 100_000), new Fragment.Output.Gather());
        PlanNode both = new PlanNode.RemoteSource(List.of(0, 1), List.of(PrimitiveType.BIGINT), List.of());
        try (StageGraphExecution execution =
                run(graph(10, failing, other, fragment(2, both, new Fragment.Output.Gather())))) {
            assertThatThrownBy(() -> drain(execution))
                    .hasCauseInstanceOf(SkepException.class)
                    .cause()
                    .extracting(e -> ((SkepException) e).code())
                    .isNotEqualTo(StandardErrorCode.OPERATION_CANCELED);
        }
    }

    @Test
    void cancellingFailsWhoeverWaits() {
        Fragment large = fragment(0, values(0, 300_000), new Fragment.Output.Gather());
        try (StageGraphExecution execution = run(graph(10, large))) {
            assertThat(execution.next().join()).isPresent();
            execution.cancel(new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, "too long"));
            assertThatThrownBy(() -> execution.next().join()).hasMessageContaining("too long");
        }
    }

    @Test
    void closingBeforeTheEndLeavesNothing() {
        run(graph(10, fragment(0, values(0, 300_000), new Fragment.Output.Gather())))
                .close();
    }

    @Test
    void figuresCountTasksAndRows() {
        try (StageGraphExecution execution = run(graph(10, fragment(0, values(0, 42), new Fragment.Output.Gather())))) {
            drain(execution);
            assertThat(execution.stats().fragments().getFirst().tasks()).isEqualTo(1);
            assertThat(execution.stats().scheduler()).isEqualTo("direct");
        }
    }

    @Test
    void withoutDaemonsThereIsAClearError() {
        connections.clear();
        StageGraph graph = graph(1, fragment(0, values(0, 3), new Fragment.Output.Gather()));
        assertThatThrownBy(() -> run(graph))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.QUEUE_FULL));
    }

    /**
     * A tiny query from start to close, after warm-up. The median must stay far below ten milliseconds even on a
     * machine that is otherwise busy.
     */
    @Test
    void schedulingATinyQueryTakesLittleTime() {
        StageGraph graph = graph(
                1,
                fragment(0, values(0, 3), new Fragment.Output.Gather()),
                fragment(1, remote(0), new Fragment.Output.Gather()));
        long[] nanos = new long[1000];
        for (int i = 0; i < 3000; i++) {
            long start = System.nanoTime();
            try (StageGraphExecution execution = run(graph)) {
                drain(execution);
            }
            nanos[i % nanos.length] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.println("tiny query: median " + nanos[500] / 1000 + " us, p99 " + nanos[990] / 1000 + " us");
        assertThat(nanos[500]).isLessThan(10_000_000);
    }

    private StageGraphExecution run(StageGraph graph) {
        QueryId id = new QueryId("direct" + queries++);
        return scheduler.start(new StageGraphRun(id, graph, Map.of(), Map.of()));
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
