package io.skep.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.scan.PageSourceFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of two daemons is lost under a query, which ends with the right rows from the other: tasks go there, lost outputs are made again. */
@Timeout(120)
final class TestLostDaemons {
    private static final int ROWS = 5000;

    /** Few rows, but tasks on both daemons. */
    private static final Map<String, String> AS_PLANNED = Map.of("hive.tez.auto.reducer.parallelism", "false");

    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<LosableDaemon> connections = new ArrayList<>();
    private Optional<TezRunner> runner = Optional.empty();

    @BeforeEach
    void start(@TempDir Path folder) {
        for (int i = 0; i < 2; i++) {
            LlapDaemon daemon = daemon(i, folder.resolve("spill" + i));
            daemons.add(daemon);
            connections.add(new LosableDaemon(daemon));
        }
        List<DaemonConnection> live = List.copyOf(connections);
        runner = Optional.of(TezRunner.local(() -> live, new TezSettings(folder.resolve("tez"), 4, 1, Map.of())));
    }

    private LlapDaemon daemon(int slot, Path spill) {
        LlapConfig config = new LlapConfig(
                2, 2, 1_000_000, 16 << 20, 1 << 20, 16, 64 << 20, 32 << 20, 8 << 20, 1L << 30, 1 << 20, 1 << 20, 0,
                List.of(), spill);
        DaemonResources resources = new DaemonResources(config, split -> {
            throw new IllegalStateException("this test reads no files");
        });
        PageSourceFactory none = (request, split, memory) -> {
            throw new IllegalStateException("this test reads no files");
        };
        DaemonStorage storage = new DaemonStorage(none, none, (table, path) -> {
            throw new IllegalStateException("this test writes no files");
        });
        return new LlapDaemon(
                new DaemonIdentity(slot, "life of " + slot, 2),
                config,
                resources,
                storage,
                peer -> connections.get(peer.slot()));
    }

    @AfterEach
    void stop() {
        daemons.forEach(daemon -> assertThat(daemon.snapshot().leftovers())
                .as("left in " + daemon.identity())
                .isEmpty());
        runner.orElseThrow().close();
        daemons.forEach(LlapDaemon::close);
    }

    private List<String> attempts() {
        return connections.stream()
                .flatMap(daemon -> daemon.attempts().stream())
                .toList();
    }

    @Test
    void tasksGoToTheOtherDaemon() {
        connections.get(1).loseAt(1);
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(connections.get(1).attempts()).anyMatch(attempt -> attempt.startsWith("1-"));
    }

    @Test
    void lostOutputsAreMadeAgain() {
        connections.get(1).loseAfter(1);
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(connections.get(0).attempts()).anyMatch(attempt -> attempt.matches("1-\\d-1"));
        assertThat(attempts()).contains("2-0-0").doesNotContain("2-0-1");
    }

    @Test
    void withoutADaemonTheQueryFails() {
        connections.forEach(daemon -> daemon.loseAt(1));
        assertThatThrownBy(this::rows)
                .hasCauseInstanceOf(SkepException.class)
                .cause()
                .satisfies(e -> assertThat(((SkepException) e).code())
                        .as(e.toString())
                        .isEqualTo(StandardErrorCode.DAEMON_LOST));
    }

    /** Rows that go from one task to several, and from those to one. */
    private List<Long> rows() {
        List<List<Datum>> data = new ArrayList<>();
        LongStream.range(0, ROWS).forEach(i -> data.add(List.of(new Datum.OfLong(i))));
        Fragment source = new Fragment(
                0,
                new PlanNode.Values(List.of(PrimitiveType.BIGINT), data),
                Fragment.Distribution.SINGLE,
                new Fragment.Output.Hash(List.of(0)));
        Fragment middle = new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather());
        Fragment root = new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        StageGraph graph = new StageGraph(
                List.of(source, middle, root), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), 1e6);
        List<Long> rows = new ArrayList<>();
        try (StageGraphExecution execution =
                runner.orElseThrow().start(new StageGraphRun(new QueryId("query"), graph, Map.of(), AS_PLANNED))) {
            Stream.generate(() -> execution.next().join())
                    .takeWhile(Optional::isPresent)
                    .map(Optional::get)
                    .forEach(batch -> add(batch, rows));
        }
        return rows;
    }

    private static void add(Batch batch, List<Long> rows) {
        LongVector vector = (LongVector) batch.column(0).flatten();
        LongStream.of(vector.values()).limit(batch.rowCount()).forEach(rows::add);
    }

    private static List<Long> expected() {
        return LongStream.range(0, ROWS).boxed().toList();
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), List.of(PrimitiveType.BIGINT), List.of());
    }
}
