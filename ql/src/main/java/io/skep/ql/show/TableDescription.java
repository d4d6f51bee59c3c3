package io.skep.ql.show;

import com.google.common.collect.Comparators;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statistics.StatisticsProperties;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hive.common.util.HiveStringUtils;

/** The output of DESCRIBE for a table or a partition. */
final class TableDescription {
    /** The order in which Hive lists the values of several columns. */
    private static final Comparator<Iterable<String>> ELEMENTWISE =
            Comparators.lexicographical(Comparator.<String>naturalOrder());

    static final List<String> COLUMNS = List.of("col_name", "data_type", "comment");

    private static final List<String> SUMMED = List.of("numFiles", "numRows", "rawDataSize", "totalSize");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.US);

    private final Table table;
    private final Optional<Partition> partition;
    private final StatementContext context;
    private final DescribedRows rows = new DescribedRows();

    TableDescription(Table table, Optional<Partition> partition, StatementContext context) {
        this.table = table;
        this.partition = partition;
        this.context = context;
    }

    private StorageDescriptor storage() {
        return partition.map(Partition::storage).orElse(table.storage());
    }

    List<List<Optional<String>>> plain() {
        columns(ShownColumns.of(storage()));
        columns(table.partitionKeys());
        partitionKeys();
        return rows.rows();
    }

    List<List<Optional<String>>> extended() {
        plain();
        rows.blank();
        if (partition.isPresent()) {
            rows.add(
                    "Detailed Partition Information",
                    HiveStringUtils.escapeJava(DetailedText.of(table, partition.get())),
                    "");
        } else {
            rows.add(
                    "Detailed Table Information", HiveStringUtils.escapeJava(DetailedText.of(table, parameters())), "");
            new ConstraintDescription(table, TableStore.constraints(table, context)).extended(rows);
        }
        return rows.rows();
    }

    List<List<Optional<String>>> formatted() {
        columns(ShownColumns.of(storage()));
        partitionKeys();
        rows.blank();
        if (partition.isPresent()) {
            partitionFacts(partition.get());
        } else {
            tableFacts();
        }
        boolean view = table.kind() == Table.TableKind.VIRTUAL_VIEW;
        if (view && partition.isPresent()) {
            return rows.rows();
        }
        rows.blank();
        storageFacts(storage());
        if (partition.isEmpty()) {
            new ConstraintDescription(table, TableStore.constraints(table, context)).formatted(rows);
        }
        if (table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            rows.blank();
            MaterializedViewFacts.add(table, context, rows);
        } else if (table.viewOriginalText().isPresent()) {
            rows.blank();
            rows.heading("# View Information");
            rows.fact("Original Query:", table.viewOriginalText().get());
            rows.fact("Expanded Query:", table.viewExpandedText().orElse(""));
        }
        return rows.rows();
    }

    private void columns(List<FieldSchema> columns) {
        for (FieldSchema column : columns) {
            rows.column(
                    column.name(), column.type().displayName(), column.comment().orElse(""));
        }
    }

    private void partitionKeys() {
        if (table.partitionKeys().isEmpty()
                || !context.settings().getBoolean("hive.display.partition.cols.separately")) {
            return;
        }
        rows.blank();
        rows.heading("# Partition Information");
        rows.add("# col_name", "data_type", "comment");
        columns(table.partitionKeys());
    }

    private void tableFacts() {
        rows.heading("# Detailed Table Information");
        rows.fact("Database:", table.database());
        rows.fact("OwnerType:", "USER");
        rows.fact("Owner:", table.owner());
        rows.fact("CreateTime:", time(table.createTime()));
        rows.fact("LastAccessTime:", table.lastAccessTime() == 0 ? "UNKNOWN" : time(table.lastAccessTime()));
        rows.fact("Retention:", "0");
        if (table.kind() != Table.TableKind.VIRTUAL_VIEW) {
            rows.fact("Location:", table.storage().location());
        }
        rows.fact("Table Type:", table.kind().name());
        rows.heading("Table Parameters:");
        Map<String, String> parameters = parameters();
        parameters.remove("numFilesErasureCoded", "0");
        rows.parameters(parameters);
    }

    /** Returns the parameters. Statistics of a partitioned table are the sums over its partitions. */
    private Map<String, String> parameters() {
        Map<String, String> parameters = StatisticsProperties.shown(table.properties());
        if (table.partitionKeys().isEmpty()) {
            return parameters;
        }
        List<Partition> partitions = context.catalog().partitions(table, values -> true);
        parameters.put("numPartitions", Integer.toString(partitions.size()));
        for (String name : SUMMED) {
            long sum = 0;
            for (Partition each : partitions) {
                sum += Long.parseLong(each.properties().getOrDefault(name, "0"));
            }
            parameters.put(name, Long.toString(sum));
        }
        boolean accurate = partitions.stream()
                .allMatch(each -> org.apache.hadoop.hive.common.StatsSetupConst.areBasicStatsUptoDate(
                        new TreeMap<>(each.properties())));
        if (accurate) {
            parameters.put(StatisticsProperties.ACCURATE, "{\"BASIC_STATS\":\"true\"}");
        }
        return parameters;
    }

    private void partitionFacts(Partition described) {
        rows.heading("# Detailed Partition Information");
        rows.fact("Partition Value:", "[" + String.join(", ", described.values()) + "]");
        rows.fact("Database:", table.database());
        rows.fact("Table:", table.name());
        rows.fact("CreateTime:", time(described.createTime()));
        rows.fact("LastAccessTime:", described.lastAccessTime() == 0 ? "UNKNOWN" : time(described.lastAccessTime()));
        String location = described.storage().location();
        rows.fact("Location:", DetailedText.orNull(location));
        rows.heading("Partition Parameters:");
        rows.parameters(StatisticsProperties.shown(described.properties()));
    }

    private void storageFacts(StorageDescriptor storage) {
        rows.heading("# Storage Information");
        rows.fact("SerDe Library:", DetailedText.orNull(storage.format().serde()));
        rows.fact("InputFormat:", DetailedText.orNull(storage.format().inputFormat()));
        rows.fact("OutputFormat:", DetailedText.orNull(storage.format().outputFormat()));
        rows.fact("Compressed:", storage.compressed() ? "Yes" : "No");
        rows.fact("Num Buckets:", Integer.toString(storage.buckets()));
        rows.fact("Bucket Columns:", "[" + String.join(", ", storage.bucketColumns()) + "]");
        rows.fact("Sort Columns:", DetailedText.sortColumns(storage));
        skewFacts(storage.skew());
        if (!storage.format().properties().isEmpty()) {
            rows.heading("Storage Desc Params:");
            rows.serdeParameters(storage.format().properties());
        }
    }

    private void skewFacts(StorageDescriptor.Skew skew) {
        if (skew.storedAsDirectories()) {
            rows.fact("Stored As SubDirectories:", "Yes");
        }
        if (!skew.columns().isEmpty()) {
            rows.fact("Skewed Columns:", skew.columns().toString());
            rows.fact(
                    "Skewed Values:",
                    skew.values().stream().sorted(ELEMENTWISE).toList().toString());
        }
        if (!skew.locations().isEmpty()) {
            rows.fact("Skewed Value to Path:", DetailedText.folders(skew.locations()));
            rows.fact("Skewed Value to Truncated Path:", DetailedText.folders(withoutWarehouse(skew.locations())));
        }
    }

    private Map<List<String>, String> withoutWarehouse(Map<List<String>, String> folders) {
        String warehouse = context.services().warehouse();
        Map<List<String>, String> shown = new HashMap<>();
        folders.forEach((value, folder) ->
                shown.put(value, folder.startsWith(warehouse) ? folder.substring(warehouse.length()) : folder));
        return shown;
    }

    private String time(long seconds) {
        return TIME.format(
                Instant.ofEpochSecond(seconds).atZone(context.settings().timeZone()));
    }
}
