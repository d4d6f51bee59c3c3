package io.skep.ql.optimize;

import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.ColumnStatisticsMerge;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the catalog knows of the contents of tables, kept for each version of a table. Thread-safe. */
public final class TableStatistics {
    private static final double UNKNOWN_ROWS = 1_000_000;
    /** What a row takes on disk where only the size of the files is known. */
    private static final double BYTES_PER_ROW = 40;

    private static final int MOST_TABLES = 10_000;

    private final Catalog catalog;
    private final Map<String, Known> tables = new ConcurrentHashMap<>();

    public TableStatistics(Catalog catalog) {
        this.catalog = catalog;
    }

    private record Known(long version, double rows, Map<String, ColumnStatistics> columns) {}

    /** Rows of the whole table, as counted, or guessed from the size of its files, or 1,000,000. */
    double rows(Table table) {
        return known(table).rows();
    }

    /** Statistics of a column by its ordinal in the table's layout. */
    Optional<ColumnStatistics> column(Table table, int ordinal) {
        List<FieldSchema> stored = SkepTable.storedColumns(table);
        return ordinal >= stored.size()
                ? Optional.empty()
                : Optional.ofNullable(
                        known(table).columns().get(stored.get(ordinal).name()));
    }

    private Known known(Table table) {
        long version = catalog.version(table.database(), table.name());
        Known known = tables.get(table.qualifiedName());
        if (known == null || known.version() != version) {
            known = read(table, version);
            if (tables.size() >= MOST_TABLES) {
                tables.clear();
            }
            tables.put(table.qualifiedName(), known);
        }
        return known;
    }

    private Known read(Table table, long version) {
        if (catalog.table(table.database(), table.name()).isEmpty()) {
            // A temporary table: the catalog knows nothing of it.
            return new Known(version, rows(table.properties()).orElse(UNKNOWN_ROWS), Map.of());
        }
        List<String> names = table.columns().stream().map(FieldSchema::name).toList();
        Map<String, ColumnStatistics> columns = new HashMap<>();
        catalog.tableStatistics(table, names).forEach(column -> columns.put(column.column(), column));
        if (table.partitionKeys().isEmpty()) {
            return new Known(version, rows(table.properties()).orElse(UNKNOWN_ROWS), Map.copyOf(columns));
        }
        List<Partition> partitions = catalog.partitions(table, values -> true);
        columns.putAll(merged(table, names));
        for (ColumnStatistics column : partitionColumns(table, partitions)) {
            columns.put(column.column(), column);
        }
        return new Known(version, rows(partitions), Map.copyOf(columns));
    }

    /** Of all partitions that have statistics. */
    private Map<String, ColumnStatistics> merged(Table table, List<String> columns) {
        Map<String, List<ColumnStatistics>> parts = new HashMap<>();
        catalog.partitionStatistics(table, catalog.partitionNames(table), columns)
                .values()
                .forEach(partition ->
                        partition.forEach(column -> parts.computeIfAbsent(column.column(), name -> new ArrayList<>())
                                .add(column)));
        Map<String, ColumnStatistics> merged = new HashMap<>();
        parts.forEach((column, all) -> merged.put(column, ColumnStatisticsMerge.merge(all)));
        return merged;
    }

    private static double rows(List<Partition> partitions) {
        double sum = 0;
        for (Partition partition : partitions) {
            sum += rows(partition.properties()).orElse(0.0);
        }
        return partitions.isEmpty() ? 0 : sum == 0 ? UNKNOWN_ROWS : sum;
    }

    private static Optional<Double> rows(Map<String, String> properties) {
        Optional<Double> counted = number(properties.get("numRows")).filter(rows -> rows > 0);
        return counted.isPresent()
                ? counted
                : number(properties.get("totalSize")).filter(size -> size > 0).map(size -> size / BYTES_PER_ROW);
    }

    private static Optional<Double> number(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** What the values of the partitions tell of the partition columns. */
    private static List<ColumnStatistics> partitionColumns(Table table, List<Partition> partitions) {
        List<ColumnStatistics> statistics = new ArrayList<>();
        for (int i = 0; i < table.partitionKeys().size(); i++) {
            Set<String> values = new HashSet<>();
            for (Partition partition : partitions) {
                values.add(partition.values().get(i));
            }
            String name = table.partitionKeys().get(i).name();
            statistics.add(
                    new ColumnStatistics(name, 0, values.size(), Optional.empty(), Optional.empty(), -1, -1, -1, -1));
        }
        return statistics;
    }
}
