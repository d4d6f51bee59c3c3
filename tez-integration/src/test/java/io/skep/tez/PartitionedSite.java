package io.skep.tez;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.TaskSubmission;
import io.skep.storage.file.HadoopFileSystem;
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

/** A table of days, one file each, on real daemons that can be lost, with Tez in local mode. */
final class PartitionedSite implements AutoCloseable {
    /** Days run from 0 up to but not including this, and null. */
    static final int DAYS = 12;

    static final int ROWS_A_DAY = 50;

    private static final int PLANNED = 4;

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
    private final TezSite site;

    PartitionedSite(Path folder) {
        for (int day = 0; day < DAYS; day++) {
            write(folder.resolve("day=" + day), day, Optional.of(String.valueOf(day)));
        }
        write(folder.resolve("day=none"), DAYS, Optional.empty());
        site = new TezSite(folder, PLANNED);
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

    LosableDaemon daemon(int slot) {
        return site.daemon(slot);
    }

    /** Returns a scan of a day and a number. */
    static PlanNode.Scan scan(int id, DynamicPartitionFilter... filters) {
        ScanRequest request = new ScanRequest(TABLE, List.of(1, 0), List.of());
        return new PlanNode.Scan(id, request, Optional.empty(), List.of(), List.of(filters));
    }

    /** Runs a query whose scans each read the whole table. */
    QueryOutcome run(StageGraph graph, Map<String, String> settings) {
        Map<Integer, List<Split>> read = new HashMap<>();
        for (Fragment fragment : graph.fragments()) {
            TaskLayout.scans(fragment.root()).forEach(scan -> read.put(scan.id(), splits));
        }
        return site.run(graph, read, settings);
    }

    static long taskCount(QueryOutcome outcome, int fragment) {
        return outcome.tasks(fragment).stream()
                .map(TaskSubmission::task)
                .distinct()
                .count();
    }

    /** Returns the days whose splits tasks have read. */
    static List<String> days(QueryOutcome outcome, int fragment) {
        return outcome.tasks(fragment).stream()
                .filter(task -> task.attempt() == 0)
                .flatMap(task -> task.splits().values().stream())
                .flatMap(List::stream)
                .map(parcel -> parcel.open(Split.class, PlanCodec::decodeSplit)
                        .partitionValues()
                        .getFirst()
                        .orElse("null"))
                .sorted()
                .toList();
    }

    /** Returns what the daemons have not released. */
    List<String> leftovers() {
        return site.leftovers();
    }

    @Override
    public void close() {
        site.close();
    }
}
