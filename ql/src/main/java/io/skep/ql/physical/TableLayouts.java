package io.skep.ql.physical;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.Column;
import io.skep.storage.table.FormatProperties;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.List;

/** The catalog's description of a table in the runtime's terms. */
public final class TableLayouts {
    private TableLayouts() {}

    public static TableLayout of(Table table) {
        return new TableLayout(
                table.qualifiedName(),
                writing(table.storage().format(), table),
                columns(table.columns()),
                columns(table.partitionKeys()),
                FormatProperties.withoutStatistics(table.properties()));
    }

    /**
     * How files below a location are read. It does not change with statistics, nor with properties that readers do not ask for.
     *
     * @param storage the table's, or that of one of its partitions
     */
    public static TableFormat format(StorageDescriptor storage, Table table) {
        return FormatProperties.reading(storage.format(), table.properties(), precedence(table));
    }

    /** How files of a format are written for a table, or for a partition of it that has the format. */
    public static TableFormat writing(TableFormat format, Table table) {
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
