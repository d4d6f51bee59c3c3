package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.vector.Datum;
import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.query.InnerQuery;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.ColumnCount;
import io.skep.ql.statistics.GatheredStatistics;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Counts a table or its partitions with a single query, and records the statistics. */
final class ColumnStatisticsCollector {
    /** The number of rows that suffices for a good histogram, however large the table is. */
    private static final long ENOUGH_ROWS = 50_000;

    private final Table table;
    private final Optional<PartitionSpec> spec;
    private final List<ColumnCount> columns;
    private final StatementContext context;
    private final StatisticsProperties stats;
    private final OptionalLong sampled;

    /** @param columns the columns to compute statistics for */
    ColumnStatisticsCollector(
            Table table, Optional<PartitionSpec> spec, List<FieldSchema> columns, StatementContext context) {
        this.table = table;
        this.spec = spec;
        this.columns = columns.stream().map(ColumnCount::new).toList();
        this.context = context;
        this.stats = new StatisticsProperties(context);
        this.sampled = context.settings().getBoolean(GatheredStatistics.HISTOGRAMS.name())
                ? OptionalLong.of(sampled())
                : OptionalLong.empty();
    }

    /**
     * Returns the sampling ratio for a histogram: one row in this number is enough. It uses the row counts that are
     * known before counting.
     */
    private long sampled() {
        if (columns.isEmpty()) {
            return 1;
        }
        long most = table.partitionKeys().isEmpty()
                ? BasicStatistics.of(table.properties()).rows().orElse(0)
                : partitions().stream()
                        .mapToLong(partition -> BasicStatistics.of(partition.properties())
                                .rows()
                                .orElse(0))
                        .min()
                        .orElse(0);
        return Long.highestOneBit(Math.max(1, most / ENOUGH_ROWS));
    }

    private List<Partition> partitions() {
        return context.catalog()
                .partitions(table, values -> spec.isEmpty() || spec.get().matches(values));
    }

    void countFiles(CommandRun run) {
        if (table.partitionKeys().isEmpty()) {
            Map<String, String> properties =
                    kept(stats.ofFiles(table.properties(), table.storage().location()));
            run.beginCommit();
            TableStore.replace(table, Revision.properties(table, properties), false, context);
            return;
        }
        List<Partition> counted = partitions().stream().map(this::withFiles).toList();
        if (!counted.isEmpty()) {
            run.beginCommit();
            context.catalog().alterPartitions(table, counted);
        }
    }

    private Partition withFiles(Partition partition) {
        Interruption.check();
        return Revision.properties(
                partition,
                kept(stats.ofFiles(partition.properties(), partition.storage().location())));
    }

    /** Returns the properties as the table's kind may have them. */
    private Map<String, String> kept(Map<String, String> properties) {
        return table.isTransactional() ? StatisticsProperties.estimated(properties) : properties;
    }

    /** @param run receives a log line when nothing can be recorded */
    void countRows(CommandRun run) {
        boolean recorded = table.partitionKeys().isEmpty() ? countTable(run) : countPartitions(partitions(), run);
        if (!recorded) {
            run.log("Statistics of " + table.qualifiedName()
                    + " were not recorded: it changed while it was counted; run ANALYZE again");
        }
    }

    private boolean countTable(CommandRun run) {
        List<TableFiles.TableFile> read = files(table.storage());
        List<Datum> found = InnerQuery.rows("select " + aggregates() + " from " + source(), run, context)
                .getFirst();
        Counted counted = counted(found, 0);
        return unlessChanged(() -> isSameTable() && files(table.storage()).equals(read), run, () -> {
            Map<String, String> properties =
                    exact(stats.ofCounted(table.properties(), table.storage().location(), counted.rows()));
            return () -> {
                TableStore.replace(table, Revision.properties(table, properties), false, context);
                if (!columns.isEmpty()) {
                    context.catalog().putTableStatistics(table, counted.columns());
                }
            };
        });
    }

    private List<TableFiles.TableFile> files(StorageDescriptor storage) {
        Interruption.check();
        TableFiles files = context.services().files();
        return files.exists(storage.location()) ? files.files(storage.location()) : List.of();
    }

    /** Another statement may have altered the table, and recording rewrites the whole definition. */
    private boolean isSameTable() {
        return context.session()
                .table(table.database(), table.name())
                .filter(table::equals)
                .isPresent();
    }

    /**
     * Records the counts unless rows or the definition have changed meanwhile. In that case nothing exact is known.
     *
     * @param record reads the present state, and returns the action that writes
     */
    private boolean unlessChanged(BooleanSupplier unchanged, CommandRun run, Supplier<Runnable> record) {
        String name = context.nextName();
        AtomicBoolean isRecorded = new AtomicBoolean();
        // The query has ended its own transaction. Its lock and this one would wait for each other.
        List<TableUse> uses = TransactionalChange.uses(table, TableAccess.DEFINE_SHARED);
        TransactionalChange.define(
                uses,
                run,
                context,
                () -> isRecorded.set(context.services().commits().exclusively(List.of(table), name, () -> {
                    boolean same = unchanged.getAsBoolean();
                    if (same) {
                        Runnable writing = record.get();
                        run.beginCommit();
                        writing.run();
                    }
                    return same;
                })));
        return isRecorded.get();
    }

    private boolean countPartitions(List<Partition> partitions, CommandRun run) {
        if (partitions.isEmpty()) {
            return true;
        }
        Map<Partition, List<TableFiles.TableFile>> read = new HashMap<>();
        partitions.forEach(partition -> read.put(partition, files(partition.storage())));
        Map<List<Datum>, Counted> found = countedPartitions(run);
        return unlessChanged(
                () -> isSameTable()
                        && new HashSet<>(partitions()).containsAll(partitions)
                        && partitions.stream()
                                .allMatch(
                                        partition -> files(partition.storage()).equals(read.get(partition))),
                run,
                () -> record(partitions, found));
    }

    /**
     * Rows identify their partition by the values of its columns, not by its name. No query can distinguish {@code p=1}
     * from {@code p=01}, so neither is counted.
     */
    private Runnable record(List<Partition> partitions, Map<List<Datum>, Counted> found) {
        Counted none = new Counted(0, columns.stream().map(ColumnCount::empty).toList());
        List<Partition> changed = new ArrayList<>();
        Map<String, List<ColumnStatistics>> statistics = new HashMap<>();
        PartitionPruner pruner = context.pruner(table);
        Map<List<Datum>, Long> places =
                pruner.values(table, context.catalog().partitions(table, values -> true)).stream()
                        .collect(Collectors.groupingBy(values -> values, Collectors.counting()));
        boolean areAllPlaced = places.keySet().containsAll(found.keySet());
        List<List<Datum>> keys = pruner.values(table, partitions);
        for (int i = 0; i < partitions.size(); i++) {
            Interruption.check();
            Partition partition = partitions.get(i);
            boolean isCounted =
                    places.getOrDefault(keys.get(i), 0L) == 1 && (areAllPlaced || found.containsKey(keys.get(i)));
            if (!isCounted) {
                changed.add(Revision.properties(
                        partition,
                        kept(stats.ofUncounted(
                                partition.properties(), partition.storage().location()))));
                continue;
            }
            Counted counted = found.getOrDefault(keys.get(i), none);
            Map<String, String> properties = exact(
                    stats.ofCounted(partition.properties(), partition.storage().location(), counted.rows()));
            changed.add(Revision.properties(partition, properties));
            statistics.put(PartitionName.of(table, partition.values()), counted.columns());
        }
        return () -> {
            context.catalog().alterPartitions(table, changed);
            if (!columns.isEmpty() && !statistics.isEmpty()) {
                context.catalog().putPartitionStatistics(table, statistics);
            }
        };
    }

    private Map<List<Datum>, Counted> countedPartitions(CommandRun run) {
        List<String> keys = table.partitionKeys().stream()
                .map(key -> HiveSqlParser.quoted(key.name()))
                .toList();
        String condition = spec.map(PartitionSpec::condition)
                .filter(text -> !text.isEmpty())
                .map(text -> " where " + text)
                .orElse("");
        String sql = "select " + String.join(", ", keys) + ", " + aggregates() + " from " + source() + condition
                + " group by " + String.join(", ", keys);
        Map<List<Datum>, Counted> counted = new HashMap<>();
        for (List<Datum> row : InnerQuery.rows(sql, run, context)) {
            counted.put(List.copyOf(row.subList(0, keys.size())), counted(row, keys.size()));
        }
        return counted;
    }

    private record Counted(long rows, List<ColumnStatistics> columns) {}

    private Counted counted(List<Datum> row, int from) {
        long rows = ((Datum.OfLong) row.get(from)).value();
        List<ColumnStatistics> statistics = new ArrayList<>();
        int at = from + 1;
        for (ColumnCount column : columns) {
            int count = column.aggregates(sampled).size();
            statistics.add(rows == 0 ? column.empty() : column.statistics(row.subList(at, at + count), rows));
            at += count;
        }
        return new Counted(rows, statistics);
    }

    private String aggregates() {
        List<String> all = new ArrayList<>();
        all.add("count(*)");
        columns.forEach(column -> all.addAll(column.aggregates(sampled)));
        return String.join(", ", all);
    }

    private String source() {
        return HiveSqlParser.quoted(table.database(), table.name());
    }

    private Map<String, String> exact(Map<String, String> properties) {
        if (table.isTransactional()) {
            return kept(properties);
        }
        List<String> names =
                columns.stream().map(count -> count.column().name()).toList();
        return names.isEmpty()
                ? properties
                : BasicStatistics.of(properties).withExactColumns(names).mergeInto(properties);
    }
}
