package io.skep.tez;

import io.skep.common.query.QueryId;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.storage.table.Split;
import io.skep.tez.dag.TezRunner;
import io.skep.tez.session.TezSessionConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two real daemons that can be lost, with Tez in local mode. */
final class TezSite implements AutoCloseable {
    private final int planned;
    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<LosableDaemon> connections = new ArrayList<>();
    private final TezRunner runner;
    private int queries;

    /** @param planned the planned number of tasks of a hashed fragment */
    TezSite(Path folder, int planned) {
        this.planned = planned;
        for (int slot = 0; slot < 2; slot++) {
            LlapDaemon daemon =
                    SmallDaemon.start(slot, folder.resolve("spill" + slot), peer -> connections.get(peer.slot()));
            daemons.add(daemon);
            connections.add(new LosableDaemon(daemon));
        }
        List<DaemonConnection> live = List.copyOf(connections);
        runner = TezRunner.local(() -> live, new TezSessionConfig(folder.resolve("tez"), planned, 1, Map.of()));
    }

    int planned() {
        return planned;
    }

    LosableDaemon daemon(int slot) {
        return connections.get(slot);
    }

    /** Runs a query that reads no files. */
    QueryOutcome run(StageGraph graph, Map<String, String> settings) {
        return run(graph, Map.of(), settings);
    }

    /** @param splits by scan */
    QueryOutcome run(StageGraph graph, Map<Integer, List<Split>> splits, Map<String, String> settings) {
        connections.forEach(daemon -> daemon.submissions().clear());
        QueryId id = new QueryId("site" + queries++);
        List<List<Datum>> rows;
        StageGraphExecution execution = runner.start(new StageGraphRun(id, graph, splits, settings));
        try (execution) {
            rows = QueryOutcome.rows(execution);
        }
        List<TaskSubmission> tasks = connections.stream()
                .flatMap(daemon -> daemon.submissions().stream())
                .toList();
        return new QueryOutcome(rows, tasks, execution.stats());
    }

    /** Returns what the daemons have not released. */
    List<String> leftovers() {
        daemons.forEach(daemon -> daemon.whenReadsAreDone().join());
        return daemons.stream()
                .flatMap(daemon -> daemon.snapshot().leftovers().stream())
                .toList();
    }

    @Override
    public void close() {
        runner.close();
        daemons.forEach(LlapDaemon::close);
    }
}
