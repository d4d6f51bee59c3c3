package io.skep.ql.optimize;

import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.ColumnStatisticsMerge;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
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

/** Caches the catalog's statistics about the contents of tables, for each version of a table. Thread-safe. */
public final class TableStatistics {
    private static final double UNKNOWN_ROWS = 1_000_000;
    /** The assumed size of a row on disk, if only the size of the files is known. */
    private static final double BYTES_PER_ROW = 40;

    private static final int MAX_TABLES = 10_000;

    /**
     * The sample size for the estimates of a table with more partitions. Reading all of 100,000 partitions takes the
     * database seconds.
     */
    private static final int MAX_PARTITIONS = 1_000;

    /**
     * If distinct values exceed this share of the sampled rows, their number is assumed to grow with the number of rows
     * in all partitions.
     */
    private static final double MANY_DIFFERENT = 0.1;

    private final Catalog catalog;
    private final int maxPartitions;
    private final Map<String, Known> tables = new ConcurrentHashMap<>();

    public TableStatistics(Catalog catalog) {
        this(catalog, MAX_PARTITIONS);
    }

    /** @param maxPartitions the maximum number of partitions of a table whose statistics are read; at least 2 */
    TableStatistics(Catalog catalog, int maxPartitions) {
        this.catalog = catalog;
        this.maxPartitions = maxPartitions;
    }

    private record Known(long version, double rows, Map<String, ColumnStatistics> columns) {}

    /** Returns the rows of the whole table: the counted number, a guess from the size of its files, or 1,000,000. */
    double rows(Table table) {
        return known(table).rows();
    }

    /** Returns the statistics of a column by its ordinal in the table's layout. */
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
            if (tables.size() >= MAX_TABLES) {
                tables.clear();
            }
            tables.put(table.qualifiedName(), known);
        }
        return known;
    }

    private Known read(Table table, long version) {
        if (catalog.table(table.database(), table.name()).isEmpty()) {
            // A temporary table has no statistics in the catalog.
            return new Known(version, rows(table.properties()).orElse(UNKNOWN_ROWS), Map.of());
        }
        List<String> names = table.columns().stream().map(FieldSchema::name).toList();
        Map<String, ColumnStatistics> columns = new HashMap<>();
        catalog.tableStatistics(table, names).forEach(column -> columns.put(column.column(), column));
        if (table.partitionKeys().isEmpty()) {
            return new Known(version, rows(table.properties()).orElse(UNKNOWN_ROWS), Map.copyOf(columns));
        }
        List<String> partitions = catalog.partitionNames(table);
        List<String> sample = sample(partitions);
        double scale = sample.isEmpty() ? 1 : (double) partitions.size() / sample.size();
        double rows = rows(catalog.partitionsByName(table, sample));
        merged(table, sample, names).forEach((column, merged) -> columns.put(column, scaled(merged, rows, scale)));
        for (ColumnStatistics column : partitionColumns(table, partitions)) {
            columns.put(column.column(), column);
        }
        return new Known(version, rows == 0 && !sample.isEmpty() ? UNKNOWN_ROWS : rows * scale, Map.copyOf(columns));
    }

    /**
     * Returns partition names at equal distances, including the first and the last. Partitions of later days often have
     * later values.
     */
    private List<String> sample(List<String> partitions) {
        if (partitions.size() <= maxPartitions) {
            return partitions;
        }
        List<String> sample = new ArrayList<>(maxPartitions);
        for (long i = 0; i < maxPartitions; i++) {
            sample.add(partitions.get((int) (i * (partitions.size() - 1) / (maxPartitions - 1))));
        }
        return sample;
    }

    /** Merges the statistics of the partitions that have any. */
    private Map<String, ColumnStatistics> merged(Table table, List<String> partitions, List<String> columns) {
        Map<String, List<ColumnStatistics>> parts = new HashMap<>();
        catalog.partitionStatistics(table, partitions, columns)
                .values()
                .forEach(partition ->
                        partition.forEach(column -> parts.computeIfAbsent(column.column(), name -> new ArrayList<>())
                                .add(column)));
        Map<String, ColumnStatistics> merged = new HashMap<>();
        parts.forEach((column, all) -> merged.put(column, ColumnStatisticsMerge.merge(all)));
        return merged;
    }

    /**
     * Scales the statistics of a sample. Counts of rows grow with the number of partitions. The number of distinct
     * values grows only if it is a large enough share of the rows, as PostgreSQL's ANALYZE assumes. Bounds stay as in
     * the sample.
     */
    private static ColumnStatistics scaled(ColumnStatistics sample, double rows, double scale) {
        boolean many = sample.distinctValues() > MANY_DIFFERENT * rows;
        return scale == 1
                ? sample
                : new ColumnStatistics(
                        sample.column(),
                        scaled(sample.nullCount(), scale),
                        many ? scaled(sample.distinctValues(), scale) : sample.distinctValues(),
                        sample.low(),
                        sample.high(),
                        sample.averageLength(),
                        sample.maxLength(),
                        scaled(sample.trueCount(), scale),
                        scaled(sample.falseCount(), scale),
                        sample.sketch(),
                        sample.histogram());
    }

    private static long scaled(long count, double scale) {
        return count < 0 ? count : Math.round(count * scale);
    }

    /** Returns the rows of the partitions, as far as they are known. */
    private static double rows(List<Partition> partitions) {
        double sum = 0;
        for (Partition partition : partitions) {
            sum += rows(partition.properties()).orElse(0.0);
        }
        return sum;
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

    /** Derives the statistics of the partition columns from the names of the partitions. */
    private static List<ColumnStatistics> partitionColumns(Table table, List<String> partitions) {
        List<Set<String>> different = new ArrayList<>();
        table.partitionKeys().forEach(_ -> different.add(new HashSet<>()));
        for (String partition : partitions) {
            List<String> values = PartitionName.values(partition);
            for (int i = 0; i < different.size(); i++) {
                different.get(i).add(values.get(i));
            }
        }
        List<ColumnStatistics> statistics = new ArrayList<>();
        for (int i = 0; i < different.size(); i++) {
            String name = table.partitionKeys().get(i).name();
            statistics.add(ColumnStatistics.of(name, 0, different.get(i).size()));
        }
        return statistics;
    }
}
