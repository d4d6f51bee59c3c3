package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.ql.execution.QueryRuns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests queries whose daemons die while they run. */
@Timeout(60)
final class TestLostDaemons {
    private static final int DAEMONS = 3;

    @TempDir
    private Path folder;

    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<MortalDaemon> connections = new ArrayList<>();
    private final DirectScheduler scheduler = new DirectScheduler(() -> List.copyOf(connections));
    private final List<String> throughTez = new ArrayList<>();
    private final QueryRuns runs = new QueryRuns(new SchedulerChoice(
            scheduler,
            run -> {
                throughTez.add(run.queryId().value());
                throw new SkepException(StandardErrorCode.QUEUE_FULL, "there is no Tez in this test");
            },
            failure -> {}));

    @BeforeEach
    void start() {
        for (int slot = 0; slot < DAEMONS; slot++) {
            LlapDaemon daemon = SmallDaemon.start(slot, folder.resolve("daemon" + slot), this::peer);
            daemons.add(daemon);
            connections.add(new MortalDaemon(daemon));
        }
    }

    private DaemonConnection peer(DaemonIdentity identity) {
        return connections.get(identity.slot());
    }

    @AfterEach
    void nothingIsLeft() {
        for (OutstandingWork work : scheduler.work()) {
            assertThat(work.nanos()).isZero();
            assertThat(work.drivers()).isZero();
        }
        for (LlapDaemon daemon : daemons) {
            assertThat(daemon.snapshot().leftovers()).isEmpty();
            daemon.close();
        }
    }

    @Test
    void theOthersRunTheQueryAgain() {
        MortalDaemon survivor = connections.getLast();
        List<MortalDaemon> dying = connections.subList(0, DAEMONS - 1);
        dying.forEach(daemon -> daemon.dieOnStart(1));
        assertThat(rows(onAll("auto"))).isEqualTo(5000);
        assertThat(throughTez).isEmpty();
        assertThat(dying).allMatch(MortalDaemon::isLost);
        int starts = survivor.starts.get();
        assertThat(rows(onAll("direct"))).isEqualTo(5000);
        assertThat(survivor.starts).hasValue(starts + 1);
        assertThat(dying).allSatisfy(daemon -> assertThat(daemon.starts).hasValue(1));
    }

    @Test
    void whenAllAreLostThereIsOneErrorAndAnEnd() {
        connections.forEach(daemon -> daemon.dieOnStart(1));
        assertFails(onAll("direct"), StandardErrorCode.DAEMON_LOST);
        assertThat(throughTez).isEmpty();
    }

    @Test
    void daemonsThatAreLostAgainAndAgainEndInTez() {
        connections.forEach(daemon -> daemon.dieOnStart(1));
        StageGraphRun run = onAll("auto");
        assertFails(run, StandardErrorCode.DAEMON_LOST);
        assertThat(throughTez).singleElement().asString().startsWith(run.queryId() + "-");
    }

    @Test
    void aQueryThatHasGivenRowsFailsOnce() {
        StageGraphRun run = new StageGraphRun(
                new QueryId("large"),
                graph(10, new Fragment(0, values(300_000), Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                Map.of(),
                Map.of("skep.query.max-kept-result", "64kb"));
        try (StageGraphExecution execution = runs.start(run)) {
            assertThat(execution.next().join()).isPresent();
            connections.forEach(MortalDaemon::die);
            assertThatThrownBy(() -> drain(execution)).cause().isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
                assertThat(e.hint()).isPresent();
            });
        }
        assertThat(throughTez).isEmpty();
        assertThat(connections.stream().mapToInt(daemon -> daemon.starts.get()).sum())
                .isEqualTo(1);
    }

    @Test
    void aSmallResultIsNotLostWithItsSecondPage() {
        AtomicBoolean died = new AtomicBoolean();
        connections.forEach(daemon -> daemon.dieAfterAPage(died));
        StageGraphRun run = new StageGraphRun(
                new QueryId("small"),
                graph(10, new Fragment(0, values(50_000), Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                Map.of(),
                Map.of());
        assertThat(rows(run)).isEqualTo(50_000);
        assertThat(connections).filteredOn(MortalDaemon::isLost).hasSize(1);
        assertThat(connections.stream().mapToInt(daemon -> daemon.starts.get()).sum())
                .isEqualTo(2);
        assertThat(runs.keptBytes()).isZero();
    }

    @Test
    void aCancelledQueryIsNotRunAgain() {
        try (StageGraphExecution execution = runs.start(onAll("auto"))) {
            execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            connections.forEach(MortalDaemon::die);
            assertThatThrownBy(() -> drain(execution)).cause().isInstanceOf(SkepException.class);
        }
        assertThat(connections).allSatisfy(daemon -> assertThat(daemon.starts).hasValue(1));
    }

    private void assertFails(StageGraphRun run, StandardErrorCode code) {
        try (StageGraphExecution execution = runs.start(run)) {
            assertThatThrownBy(() -> drain(execution))
                    .cause()
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
        }
    }

    private long rows(StageGraphRun run) {
        try (StageGraphExecution execution = runs.start(run)) {
            return drain(execution);
        }
    }

    private static long drain(StageGraphExecution execution) {
        long rows = 0;
        for (Optional<Batch> next = execution.next().join();
                next.isPresent();
                next = execution.next().join()) {
            rows += next.get().rowCount();
        }
        return rows;
    }

    /** Returns a query that has tasks on all daemons. */
    private StageGraphRun onAll(String choice) {
        Fragment source =
                new Fragment(0, values(5000), Fragment.Distribution.SINGLE, new Fragment.Output.Hash(List.of(0)));
        Fragment hash = new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather());
        Fragment root = new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        QueryId id = new QueryId("q-" + choice + connections.getLast().starts);
        return new StageGraphRun(id, graph(1e6, source, hash, root), Map.of(), Map.of("skep.scheduler", choice));
    }

    private static StageGraph graph(double rows, Fragment... fragments) {
        return new StageGraph(List.of(fragments), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), rows);
    }

    private static PlanNode values(int rows) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(i)));
        }
        return new PlanNode.Values(List.of(PrimitiveType.BIGINT), data);
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), List.of(PrimitiveType.BIGINT), List.of());
    }
}
