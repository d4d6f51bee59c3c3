package io.skep.ql.optimize;

import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the statistics of tables from the catalog. */
public final class CatalogStatistics {
    /** What a row takes on disk where only the size of the files is known. */
    private static final double BYTES_PER_ROW = 40;

    private final Catalog catalog;

    public CatalogStatistics(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Rows as counted when the table was written or analyzed, or guessed from the size of its files. */
    Optional<Double> rows(Table table) {
        if (table.partitionKeys().isEmpty()) {
            return rows(table.properties());
        }
        double sum = 0;
        boolean known = false;
        for (Partition partition : catalog.partitions(table, values -> true)) {
            Optional<Double> rows = rows(partition.properties());
            known |= rows.isPresent();
            sum += rows.orElse(0.0);
        }
        return known ? Optional.of(sum) : Optional.empty();
    }

    private static Optional<Double> rows(Map<String, String> properties) {
        Optional<Double> counted = number(properties.get("numRows")).filter(rows -> rows > 0);
        return counted.isPresent()
                ? counted
                : number(properties.get("totalSize")).filter(size -> size > 0).map(size -> size / BYTES_PER_ROW);
    }

    private static Optional<Double> number(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Statistics of the data columns, and of partition columns what their values tell. */
    List<ColumnStatistics> columns(Table table) {
        List<String> names = table.columns().stream().map(FieldSchema::name).toList();
        if (table.partitionKeys().isEmpty()) {
            return catalog.tableStatistics(table, names);
        }
        List<Partition> partitions = catalog.partitions(table, values -> true);
        List<ColumnStatistics> statistics = new ArrayList<>(catalog.tableStatistics(table, names));
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
