package io.skep.tez;

import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SplitFilter;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A table of days, one file each, on real daemons that may be lost, and Tez in local mode over them. */
final class PartitionedSite implements AutoCloseable {
    /** Days are 0 to this, and null. */
    static final int DAYS = 12;

    static final int ROWS_A_DAY = 50;

    private static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of());
    private static final TableLayout TABLE = new TableLayout(
            "db.sales",
            ORC,
            List.of(new Column("n", PrimitiveType.BIGINT)),
            List.of(new Column("day", PrimitiveType.BIGINT)),
            Map.of());

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
    private final List<Split> splits = new ArrayList<>();
    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<LosableDaemon> connections = new ArrayList<>();
    private final TezRunner runner;
    private int queries;

    /**
     * What a query gave.
     *
     * @param tasks that were submitted, those that were lost among them
     */
    record Outcome(List<List<Datum>> rows, List<TaskSubmission> tasks, ExecutionFigures figures) {
        long taskCount(int fragment) {
            return tasks.stream()
                    .filter(task -> task.fragment() == fragment)
                    .map(TaskSubmission::task)
                    .distinct()
                    .count();
        }

        /** The days whose splits tasks have read. */
        List<String> days(int fragment) {
            return tasks.stream()
                    .filter(task -> task.fragment() == fragment && task.attempt() == 0)
                    .flatMap(task -> task.splits().values().stream())
                    .flatMap(List::stream)
                    .map(parcel -> parcel.open(Split.class, PlanCodec::decodeSplit)
                            .partitionValues()
                            .getFirst()
                            .orElse("null"))
                    .sorted()
                    .toList();
        }
    }

    PartitionedSite(Path folder) {
        for (int day = 0; day < DAYS; day++) {
            write(folder.resolve("day=" + day), day, Optional.of(String.valueOf(day)));
        }
        write(folder.resolve("day=none"), DAYS, Optional.empty());
        for (int i = 0; i < 2; i++) {
            daemons.add(daemon(i, folder.resolve("spill" + i)));
            connections.add(new LosableDaemon(daemons.get(i)));
        }
        List<DaemonConnection> live = List.copyOf(connections);
        runner = TezRunner.local(() -> live, new TezSettings(folder.resolve("tez"), 4, 1, Map.of()));
    }

    private void write(Path folder, int number, Optional<String> day) {
        VectorAppender numbers = VectorAppender.of(PrimitiveType.BIGINT);
        for (int row = 0; row < ROWS_A_DAY; row++) {
            numbers.appendLong(number * 1000L + row);
        }
        PageSink sink = formats.create(TABLE, folder.toUri() + "/000000_0");
        sink.append(Batch.of(ROWS_A_DAY, numbers.build()));
        sink.finish();
        splits.addAll(new SplitEnumerator(files, SplitEnumerator.DEFAULT_SPLIT_BYTES)
                .splits(List.of(
                        new SplitEnumerator.Place(folder.toUri().toString(), ORC, TABLE.dataColumns(), List.of(day)))));
    }

    private LlapDaemon daemon(int slot, Path spill) {
        LlapConfig config = new LlapConfig(
                2, 2, 1_000_000, 16 << 20, 1 << 20, 16, 64 << 20, 32 << 20, 8 << 20, 1L << 30, 1 << 20, 1 << 20, 0,
                List.of(), spill);
        DaemonResources resources = new DaemonResources(config, formats);
        DaemonStorage storage =
                DaemonStorage.of(resources, formats, formats, files, new PartitionValues(ZoneOffset.UTC));
        return new LlapDaemon(
                new DaemonIdentity(slot, "life of " + slot, 2),
                config,
                resources,
                storage,
                peer -> connections.get(peer.slot()));
    }

    LosableDaemon daemon(int slot) {
        return connections.get(slot);
    }

    /** Rows of a day and a number. */
    static PlanNode.Scan scan(int id, SplitFilter... filters) {
        ScanRequest request = new ScanRequest(TABLE, List.of(1, 0), List.of());
        return new PlanNode.Scan(id, request, Optional.empty(), List.of(), List.of(filters));
    }

    /** Each scan reads the whole table. */
    Outcome run(StageGraph graph, Map<String, String> settings) {
        connections.forEach(daemon -> daemon.submissions().clear());
        Map<Integer, List<Split>> read = new HashMap<>();
        for (Fragment fragment : graph.fragments()) {
            TaskLayout.scans(fragment.root()).forEach(scan -> read.put(scan.id(), splits));
        }
        List<List<Datum>> rows = new ArrayList<>();
        StageGraphExecution execution =
                runner.start(new StageGraphRun(new QueryId("site" + queries++), graph, read, settings));
        try (execution) {
            for (Optional<Batch> next = execution.next().join();
                    next.isPresent();
                    next = execution.next().join()) {
                add(next.get(), rows);
            }
        }
        List<TaskSubmission> submissions = connections.stream()
                .flatMap(daemon -> daemon.submissions().stream())
                .toList();
        return new Outcome(rows, submissions, execution.figures());
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
