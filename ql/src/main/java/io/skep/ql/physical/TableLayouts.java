package io.skep.ql.physical;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.List;
import java.util.Map;

/** Converts the catalog's description of a table to the runtime's. */
public final class TableLayouts {
    private TableLayouts() {}

    /** Settings of sessions have no effect as properties of a table, as in Hive. */
    public static TableLayout of(Table table) {
        Map<String, String> properties = FormatProperties.withoutStatistics(table.properties());
        properties.keySet().removeAll(ParquetFileFormat.SESSION_SETTINGS);
        properties.keySet().removeAll(OutputCompression.SESSION_SETTINGS);
        return new TableLayout(
                table.qualifiedName(),
                writeFormat(table.storage().format(), table),
                columns(table.columns()),
                columns(table.partitionKeys()),
                properties);
    }

    /**
     * Returns how to read files below a location. The result does not depend on statistics or on properties that
     * readers do not use.
     *
     * @param storage the storage descriptor of the table or of one of its partitions
     */
    public static TableFormat format(StorageDescriptor storage, Table table) {
        return FormatProperties.reading(storage.format(), table.properties(), precedence(table));
    }

    /** Returns how to write files of a format for a table, or for a partition that has the format. */
    public static TableFormat writeFormat(TableFormat format, Table table) {
        return FormatProperties.writing(format, table.properties(), precedence(table));
    }

    private static FormatProperties.Precedence precedence(Table table) {
        return FormatProperties.Precedence.of(!table.partitionKeys().isEmpty());
    }

    public static List<Column> columns(List<FieldSchema> fields) {
        return fields.stream()
                .map(field -> new Column(field.name(), field.type()))
                .toList();
    }
}
