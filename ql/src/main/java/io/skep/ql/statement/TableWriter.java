package io.skep.ql.statement;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.codec.SummaryCodec;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.storage.statistics.ColumnSummary;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.common.FileUtils;

/** Runs a writing plan and then makes its files the table's. Until the commit the table is as it was. */
final class TableWriter implements AutoCloseable {
    private final Destination destination;
    private final String staging;
    private final QueryRun run;
    private final PhysicalPlan plan;
    private final StatementContext context;
    private final Map<String, List<WrittenFile>> written = new LinkedHashMap<>();
    private final Map<String, List<ColumnSummary>> summaries = new HashMap<>();
    private final String commitName;
    private boolean committed;

    TableWriter(Destination destination, String staging, QueryRun run, PhysicalPlan plan, StatementContext context) {
        this.destination = destination;
        this.staging = staging;
        this.run = run;
        this.plan = plan;
        this.context = context;
        this.commitName = context.queryId().value() + "-" + context.nextNumber();
    }

    QueryRun run() {
        return run;
    }

    PhysicalPlan plan() {
        return plan;
    }

    /** Writes all files into the staging folder. */
    void write() {
        context.services().commits().folders().note(staging);
        run.start();
        for (Optional<Batch> batch = run.next(); batch.isPresent(); batch = run.next()) {
            collect(batch.get());
        }
    }

    private void collect(Batch batch) {
        BytesVector paths = (BytesVector) batch.column(0).flatten();
        BytesVector partitions = (BytesVector) batch.column(1).flatten();
        LongVector rows = (LongVector) batch.column(2).flatten();
        LongVector bytes = (LongVector) batch.column(3).flatten();
        BytesVector columns = (BytesVector) batch.column(4).flatten();
        for (int i = 0; i < batch.rowCount(); i++) {
            written.computeIfAbsent(partitions.string(i), name -> new ArrayList<>())
                    .add(new WrittenFile(paths.string(i), rows.value(i), bytes.value(i)));
            if (!columns.isNull(i)) {
                summaries.merge(partitions.string(i), SummaryCodec.decode(columns.bytes(i)), TableWriter::merge);
            }
        }
    }

    private static List<ColumnSummary> merge(List<ColumnSummary> left, List<ColumnSummary> right) {
        List<ColumnSummary> merged = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            merged.add(left.get(i).merge(right.get(i)));
        }
        return merged;
    }

    private GatheredStatistics gathered(String partition) {
        List<FieldSchema> columns = destination.table().columns();
        if (!GatheredStatistics.areWanted(destination, context)) {
            return GatheredStatistics.NONE;
        }
        List<ColumnSummary> found = summaries.get(partition);
        return found == null ? GatheredStatistics.empty(columns) : GatheredStatistics.of(columns, found, context);
    }

    /** Makes the files visible; gives the number of rows written. */
    long commit() {
        Table table = destination.table();
        if (destination.dynamicColumns().isEmpty()) {
            written.putIfAbsent(destination.staticPath(), List.of());
        }
        Map<String, String> locations = new LinkedHashMap<>();
        context.services()
                .commits()
                .commit(
                        commitName,
                        isInCatalog(table) ? List.of(table) : List.of(),
                        () -> {
                            written.keySet().forEach(name -> locations.put(name, location(table, name)));
                            return steps(table, locations);
                        },
                        () -> recordInCatalog(table, locations));
        committed = true;
        return written.values().stream()
                .flatMap(List::stream)
                .mapToLong(WrittenFile::rowCount)
                .sum();
    }

    private List<TableCommits.Step> steps(Table table, Map<String, String> locations) {
        List<TableCommits.Step> steps = new ArrayList<>();
        written.forEach((partition, files) -> addSteps(locations.getOrDefault(partition, ""), files, steps));
        addRecords(table, locations, steps);
        steps.add(new TableCommits.Step.Delete(staging));
        return steps;
    }

    private void addSteps(String location, List<WrittenFile> files, List<TableCommits.Step> steps) {
        List<TableFiles.TableFile> existing = context.services().files().exists(location)
                ? context.services().files().files(location)
                : List.of();
        if (destination.overwrite()) {
            Table table = destination.table();
            existing.forEach(file -> steps.add(
                    isInCatalog(table)
                            ? TableCommits.Step.deleteOf(file.path(), table)
                            : new TableCommits.Step.Delete(file.path())));
        }
        TargetNames names = new TargetNames(location, existing);
        for (WrittenFile file : files) {
            steps.add(new TableCommits.Step.Move(file.path(), names.next()));
        }
    }

    /** A folder without a table and a session's own table are not. */
    private boolean isInCatalog(Table table) {
        return !destination.isDirectory() && !TableStore.isTemporary(table, context);
    }

    private void addRecords(Table table, Map<String, String> locations, List<TableCommits.Step> steps) {
        if (isInCatalog(table)) {
            locations.forEach((partition, location) ->
                    steps.add(new TableCommits.Step.InCatalog(table.database(), table.name(), partition, location)));
        }
    }

    private String location(Table table, String partition) {
        if (partition.isEmpty()) {
            return table.storage().location();
        }
        return context.catalog()
                .partition(table, values(partition))
                .map(known -> known.storage().location())
                .orElse(table.storage().location() + "/" + partition);
    }

    private static List<String> values(String partition) {
        List<String> values = new ArrayList<>();
        for (String part : partition.split("/")) {
            values.add(FileUtils.unescapePathName(part.substring(part.indexOf('=') + 1)));
        }
        return values;
    }

    private void recordInCatalog(Table table, Map<String, String> locations) {
        if (destination.isDirectory()) {
            context.services().files().makeDirectory(table.storage().location());
            return;
        }
        TableFigures figures = new TableFigures(context);
        if (table.partitionKeys().isEmpty()) {
            figures.recordTable(asItIs(table), added(""), destination.overwrite(), gathered(""));
            return;
        }
        List<Partition> fresh = new ArrayList<>();
        List<Partition> changed = new ArrayList<>();
        Map<String, List<ColumnStatistics>> statistics = new HashMap<>();
        locations.forEach((name, location) -> {
            Optional<Partition> known = context.catalog().partition(table, values(name));
            Partition before = known.orElseGet(() -> partition(table, name, location));
            TableFigures.Recorded after = figures.with(
                    before.properties(),
                    added(name),
                    destination.overwrite() || known.isEmpty(),
                    before.storage().location(),
                    gathered(name),
                    columns -> statisticsOf(table, before, columns));
            (known.isPresent() ? changed : fresh).add(Revision.properties(before, after.properties()));
            statistics.put(PartitionName.of(table, before.values()), after.statistics());
        });
        if (!fresh.isEmpty()) {
            context.catalog().addPartitions(table, fresh, true);
        }
        if (!changed.isEmpty()) {
            context.catalog().alterPartitions(table, changed);
        }
        statistics.values().removeIf(List::isEmpty);
        if (!statistics.isEmpty()) {
            context.catalog().putPartitionStatistics(table, statistics);
        }
    }

    /** Another statement may have committed rows since this one was compiled. */
    private Table asItIs(Table table) {
        return context.session().table(table.database(), table.name()).orElse(table);
    }

    private List<ColumnStatistics> statisticsOf(Table table, Partition partition, List<String> columns) {
        String name = PartitionName.of(table, partition.values());
        return context.catalog()
                .partitionStatistics(table, List.of(name), columns)
                .getOrDefault(name, List.of());
    }

    private List<WrittenFile> added(String partition) {
        return written.getOrDefault(partition, List.of());
    }

    private Partition partition(Table table, String name, String location) {
        StorageDescriptor storage = table.storage();
        List<FieldSchema> columns = storage.columns();
        long now = context.services().clock().instant().getEpochSecond();
        StorageDescriptor own = new StorageDescriptor(
                columns,
                location,
                storage.format(),
                storage.compressed(),
                storage.buckets(),
                storage.bucketColumns(),
                storage.sortColumns(),
                storage.skew());
        return new Partition(values(name), now, 0, own, new TreeMap<>());
    }

    @Override
    public void close() {
        run.close();
        TableCommits commits = context.services().commits();
        if (committed) {
            commits.folders().delete(staging);
        } else if (!commits.isUnfinished(commitName)) {
            commits.folders().abandon(staging);
        }
    }
}
