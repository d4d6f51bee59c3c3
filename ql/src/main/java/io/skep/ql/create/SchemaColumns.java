package io.skep.ql.create;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.statement.Revision;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Columns that the schema in a table's properties defines, whatever the statement lists. */
public final class SchemaColumns {
    private SchemaColumns() {}

    /** Returns the storage with the columns of the schema, if there is one. */
    public static StorageDescriptor in(StorageDescriptor storage, Map<String, String> tableProperties) {
        TableFormat format =
                FormatProperties.reading(storage.format(), tableProperties, FormatProperties.Precedence.TABLE);
        return SerdeColumns.areDefinedBy(format) ? Revision.columns(storage, fields(SerdeColumns.of(format))) : storage;
    }

    /**
     * Returns the columns that the SerDe of a table lists, if it is asked now. Where it has no comment, a column keeps
     * the one that it has.
     */
    public static List<FieldSchema> listed(StorageDescriptor storage, Map<String, String> tableProperties) {
        TableFormat format =
                FormatProperties.reading(storage.format(), tableProperties, FormatProperties.Precedence.TABLE);
        List<Column> declared = SerdeColumns.areDefinedBy(format)
                ? List.of()
                : storage.columns().stream()
                        .map(column -> new Column(column.name(), column.type()))
                        .toList();
        Map<String, Optional<String>> comments = new HashMap<>();
        storage.columns().forEach(column -> comments.put(column.name(), column.comment()));
        return fields(SerdeColumns.of(format, declared)).stream()
                .map(column -> column.comment().orElse("").isEmpty()
                        ? new FieldSchema(
                                column.name(), column.type(), comments.getOrDefault(column.name(), Optional.empty()))
                        : column)
                .toList();
    }

    public static Table in(Table table) {
        return Revision.storage(table, in(table.storage(), table.properties()));
    }

    private static List<FieldSchema> fields(List<SerdeColumns.Described> columns) {
        return columns.stream()
                .map(described -> new FieldSchema(
                        described.column().name(), described.column().type(), Optional.of(described.comment())))
                .toList();
    }
}
