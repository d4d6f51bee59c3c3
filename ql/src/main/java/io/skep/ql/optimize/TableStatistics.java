package io.skep.ql.optimize;

import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What the catalog knows of tables' contents, kept for the planning of one query. */
public final class TableStatistics {
    private static final double UNKNOWN_ROWS = 1_000_000;

    private final CatalogStatistics catalog;
    private final Map<String, Double> rows = new ConcurrentHashMap<>();
    private final Map<String, Map<String, ColumnStatistics>> columns = new ConcurrentHashMap<>();

    public TableStatistics(CatalogStatistics catalog) {
        this.catalog = catalog;
    }

    /** Rows of the whole table. */
    double rows(Table table) {
        return rows.computeIfAbsent(
                table.qualifiedName(), name -> catalog.rows(table).orElse(UNKNOWN_ROWS));
    }

    /** Statistics of a column by its ordinal in the table's layout. */
    Optional<ColumnStatistics> column(Table table, int ordinal) {
        var stored = SkepTable.storedColumns(table);
        if (ordinal >= stored.size()) {
            return Optional.empty();
        }
        Map<String, ColumnStatistics> known =
                columns.computeIfAbsent(table.qualifiedName(), name -> byName(catalog.columns(table)));
        return Optional.ofNullable(known.get(stored.get(ordinal).name()));
    }

    private static Map<String, ColumnStatistics> byName(List<ColumnStatistics> statistics) {
        Map<String, ColumnStatistics> byName = new ConcurrentHashMap<>();
        statistics.forEach(column -> byName.put(column.column(), column));
        return byName;
    }
}
