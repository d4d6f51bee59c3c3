package io.skep.storage.table;

import java.util.List;
import java.util.Map;

/**
 * The runtime's description of a table. Columns are addressed by ordinal: data columns first, then partition columns,
 * then {@link VirtualColumn}s.
 *
 * @param name {@code database.table}, for messages and metrics
 * @param format the format with the table's properties, for writers; files are read by the format of their
 *     {@link Split}
 * @param properties the table's properties (TBLPROPERTIES) except statistics, for writers, such as {@code orc.compress}
 */
public record TableLayout(
        String name,
        TableFormat format,
        List<Column> dataColumns,
        List<Column> partitionColumns,
        Map<String, String> properties) {
    public TableLayout {
        dataColumns = List.copyOf(dataColumns);
        partitionColumns = List.copyOf(partitionColumns);
        properties = Map.copyOf(properties);
    }

    /** Returns the same table with another file format, such as that of one of its partitions. */
    public TableLayout withFormat(TableFormat other) {
        return new TableLayout(name, other, dataColumns, partitionColumns, properties);
    }

    /** Returns the column at an ordinal. */
    public Column column(int ordinal) {
        int data = dataColumns.size();
        int stored = data + partitionColumns.size();
        if (ordinal < data) {
            return dataColumns.get(ordinal);
        }
        return ordinal < stored
                ? partitionColumns.get(ordinal - data)
                : VirtualColumn.values()[ordinal - stored].column();
    }

    /** Returns the ordinal of a virtual column. */
    public int ordinal(VirtualColumn column) {
        return dataColumns.size() + partitionColumns.size() + column.ordinal();
    }
}
