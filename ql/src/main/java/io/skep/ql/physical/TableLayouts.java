package io.skep.ql.physical;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.serde.SerdeColumns;
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
        if (table.storageHandler().isPresent()) {
            // What the handler needs is for the server alone: there may be passwords.
            return new TableLayout(
                    table.qualifiedName(),
                    withoutProperties(table.storage().format()),
                    columns(table.storage()),
                    columns(table.partitionKeys()),
                    Map.of());
        }
        Map<String, String> properties = FormatProperties.withoutStatistics(table.properties());
        properties.keySet().removeAll(ParquetFileFormat.SESSION_SETTINGS);
        properties.keySet().removeAll(OutputCompression.SESSION_SETTINGS);
        return new TableLayout(
                table.qualifiedName(),
                writeFormat(table.storage().format(), table),
                columns(table.storage()),
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

    /** Returns the storage descriptor whose columns and properties say how to read a partition's files. */
    public static StorageDescriptor describing(Partition partition, Table table) {
        StorageDescriptor own = partition.storage();
        return SerdeColumns.areOfTable(own.format(), table.storage().format()) ? table.storage() : own;
    }

    /** Returns how to write files of a format for a table, or for a partition that has the format. */
    public static TableFormat writeFormat(TableFormat format, Table table) {
        return FormatProperties.writing(format, table.properties(), precedence(table));
    }

    private static FormatProperties.Precedence precedence(Table table) {
        return FormatProperties.Precedence.of(!table.partitionKeys().isEmpty());
    }

    /** Returns the columns of rows in files that a storage descriptor describes. */
    public static List<Column> columns(StorageDescriptor storage) {
        return columns(fields(storage));
    }

    /**
     * Returns the columns with the types that they have in queries and for INSERT, which are not always the declared
     * ones ({@link SerdeColumns#typeOfRows}).
     */
    public static List<FieldSchema> fields(StorageDescriptor storage) {
        return SerdeColumns.typeOfRows(storage.format())
                .map(type -> storage.columns().stream()
                        .map(declared -> new FieldSchema(declared.name(), type, declared.comment()))
                        .toList())
                .orElse(storage.columns());
    }

    /**
     * Returns a table with the columns that queries see. The rows of a storage handler are written to ORC files before
     * tasks read them, and what was counted of them may have changed since.
     */
    public static Table queried(Table table) {
        StorageDescriptor storage = table.storage();
        if (table.storageHandler().isPresent()) {
            HiveClasses orc = FileFormats.named("orc").orElseThrow().classes();
            TableFormat format = new TableFormat(
                    orc.inputFormat(),
                    orc.outputFormat(),
                    orc.serde().orElseThrow(),
                    storage.format().properties());
            return table.withProperties(FormatProperties.withoutStatistics(table.properties()))
                    .withStorage(new StorageDescriptor(
                            storage.columns(),
                            storage.location(),
                            format,
                            false,
                            -1,
                            List.of(),
                            List.of(),
                            StorageDescriptor.Skew.NONE));
        }
        List<FieldSchema> fields = fields(storage);
        if (fields.equals(storage.columns())) {
            return table;
        }
        return table.withStorage(new StorageDescriptor(
                fields,
                storage.location(),
                storage.format(),
                storage.compressed(),
                storage.buckets(),
                storage.bucketColumns(),
                storage.sortColumns(),
                storage.skew()));
    }

    /** Returns the table with its rows in files of the format that queries see, below a location. */
    public static Table located(Table table, String location) {
        StorageDescriptor storage = table.storage();
        return table.withProperties(Map.of())
                .withStorage(
                        storage.withFormat(withoutProperties(storage.format())).withLocation(location));
    }

    private static TableFormat withoutProperties(TableFormat format) {
        return new TableFormat(format.inputFormat(), format.outputFormat(), format.serde(), Map.of());
    }

    public static List<Column> columns(List<FieldSchema> fields) {
        return fields.stream()
                .map(field -> new Column(field.name(), field.type()))
                .toList();
    }
}
