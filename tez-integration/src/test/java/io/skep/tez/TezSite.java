package io.skep.tez;

import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.scan.PageSourceFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two daemons of two executors that read no files, and Tez in local mode over them. */
final class TezSite implements AutoCloseable {
    /** Tasks of a hashed fragment as they are planned. */
    static final int PLANNED = 8;

    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<ForwardingDaemon> connections = new ArrayList<>();
    private final TezRunner runner;
    private int queries;

    /**
     * What a query gave.
     *
     * @param rows of whole numbers, in their order
     * @param tasks in the order of their numbers
     */
    record Outcome(List<List<Datum>> rows, List<TaskSubmission> tasks, ExecutionFigures figures) {
        List<TaskSubmission> tasks(int fragment) {
            return tasks.stream()
                    .filter(task -> task.fragment() == fragment)
                    .sorted(Comparator.comparingInt(TaskSubmission::task))
                    .toList();
        }
    }

    TezSite(Path folder) {
        for (int i = 0; i < 2; i++) {
            daemons.add(daemon(i, folder.resolve("spill" + i)));
        }
        daemons.forEach(daemon -> connections.add(new ForwardingDaemon(daemon)));
        List<DaemonConnection> live = List.copyOf(connections);
        runner = TezRunner.local(() -> live, new TezSettings(folder.resolve("tez"), PLANNED, 1, Map.of()));
    }

    private LlapDaemon daemon(int slot, Path spill) {
        LlapConfig config = new LlapConfig(
                2, 2, 1_000_000, 16 << 20, 1 << 20, 16, 64 << 20, 32 << 20, 8 << 20, 1L << 30, 1 << 20, 1 << 20, 0,
                List.of(), spill);
        DaemonResources resources = new DaemonResources(config, split -> {
            throw new IllegalStateException("no file is read");
        });
        PageSourceFactory none = (request, split, memory) -> {
            throw new IllegalStateException("no file is read");
        };
        DaemonStorage storage = new DaemonStorage(none, none, (table, path) -> {
            throw new IllegalStateException("no file is written");
        });
        return new LlapDaemon(
                new DaemonIdentity(slot, "life of " + slot, 2),
                config,
                resources,
                storage,
                peer -> daemons.get(peer.slot()));
    }

    Outcome run(StageGraph graph, Map<String, String> settings) {
        connections.forEach(daemon -> daemon.submissions().clear());
        List<List<Datum>> rows = new ArrayList<>();
        StageGraphExecution execution =
                runner.start(new StageGraphRun(new QueryId("site" + queries++), graph, Map.of(), settings));
        try (execution) {
            for (Optional<Batch> next = execution.next().join();
                    next.isPresent();
                    next = execution.next().join()) {
                add(next.get(), rows);
            }
        }
        List<TaskSubmission> tasks = connections.stream()
                .flatMap(daemon -> daemon.submissions().stream())
                .toList();
        return new Outcome(rows, tasks, execution.figures());
    }

    private static void add(Batch batch, List<List<Datum>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>();
            for (Vector column : batch.columns()) {
                values.add(Datum.of(column, row, PrimitiveType.BIGINT));
            }
            rows.add(values);
        }
    }

    /** What the daemons have not let go of. */
    List<String> leftovers() {
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
