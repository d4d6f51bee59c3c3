package io.skep.ql.statistics;

import io.skep.common.vector.Datum;
import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.physical.Answers;
import io.skep.ql.physical.CountedPlace;
import io.skep.ql.physical.MetadataOnlyAggregates;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The statistics from which queries may be answered. They are those of managed tables whose files are still the ones
 * whose rows were counted. Those of transactional tables count one snapshot only and answer nothing. Files are compared
 * by name, length and time, or only by number and size where Hive has counted them. As in Hive, a table whose files are
 * changed without the catalog must be declared external.
 */
public final class CountedTables implements MetadataOnlyAggregates.Source {
    private static final List<String> SKIPPED_LINES = List.of("skip.header.line.count", "skip.footer.line.count");

    /** If changes disturb all of these tries, the query counts the rows instead. */
    private static final int TRIES = 2;

    private final StatementContext context;
    private Consumer<Table> asked = table -> {};

    public CountedTables(StatementContext context) {
        this.context = context;
    }

    @Override
    public Answers withoutChanges(Supplier<Answers> asking) {
        // Files that another server rewrote may have the same number and size as before, so only the catalog can
        // distinguish them.
        for (int i = 0; i < TRIES; i++) {
            Optional<Answers> answers = context.services().commits().readConsistently(tables -> {
                asked = tables;
                return asking.get();
            });
            if (answers.isPresent()) {
                return answers.get();
            }
        }
        return Answers.NONE;
    }

    @Override
    public Optional<List<CountedPlace>> places(ScanAssignment scan) {
        Table planned = scan.table();
        asked.accept(planned);
        return context.session()
                .table(planned.database(), planned.name())
                .filter(table -> isTrusted(table) && isSame(table, planned))
                .flatMap(table ->
                        table.partitionKeys().isEmpty() ? whole(table).map(List::of) : partitions(table, scan));
    }

    private static boolean isTrusted(Table table) {
        return table.kind() == Table.TableKind.MANAGED_TABLE
                && !table.isTransactional()
                && SKIPPED_LINES.stream().noneMatch(table.properties()::containsKey)
                && SKIPPED_LINES.stream().noneMatch(table.storage().format().properties()::containsKey);
    }

    /** Whether a query that was analyzed with the planned table refers to this table. */
    private static boolean isSame(Table table, Table planned) {
        return table.columns().equals(planned.columns())
                && table.partitionKeys().equals(planned.partitionKeys())
                && table.storage().location().equals(planned.storage().location());
    }

    private Optional<CountedPlace> whole(Table table) {
        Function<String, Optional<ColumnStatistics>> columns =
                column -> context.catalog().tableStatistics(table, List.of(column)).stream()
                        .findFirst();
        return counted(table.properties(), table.storage().location(), List.of(), columns);
    }

    private Optional<List<CountedPlace>> partitions(Table table, ScanAssignment scan) {
        PartitionPruner pruner = context.pruner(table);
        List<Partition> partitions = pruner.partitions(scan, context.catalog());
        List<List<Datum>> keys = pruner.values(table, partitions);
        PartitionStatistics statistics = new PartitionStatistics(context.catalog(), table, partitions);
        List<CountedPlace> places = new ArrayList<>(partitions.size());
        for (int i = 0; i < partitions.size(); i++) {
            Partition partition = partitions.get(i);
            boolean sameColumns = types(partition.storage().columns()).equals(types(table.columns()));
            String name = PartitionName.of(table, partition.values());
            Optional<CountedPlace> place = counted(
                    partition.properties(),
                    partition.storage().location(),
                    keys.get(i),
                    column -> sameColumns ? statistics.of(name, column) : Optional.empty());
            if (place.isEmpty()) {
                return Optional.empty();
            }
            places.add(place.get());
        }
        return Optional.of(places);
    }

    private static List<FieldSchema> types(List<FieldSchema> columns) {
        return columns.stream()
                .map(column -> new FieldSchema(column.name(), column.type(), Optional.empty()))
                .toList();
    }

    private Optional<CountedPlace> counted(
            Map<String, String> properties,
            String location,
            List<Datum> keys,
            Function<String, Optional<ColumnStatistics>> columns) {
        BasicStatistics stats = BasicStatistics.of(properties);
        if (!stats.exact()
                || stats.rows().isEmpty()
                || stats.files().isEmpty()
                || stats.bytes().isEmpty()) {
            return Optional.empty();
        }
        return StatisticsProperties.describeFiles(
                        properties, location, context.services().files().files(location))
                ? Optional.of(new CountedPlace(stats, keys, columns))
                : Optional.empty();
    }
}
