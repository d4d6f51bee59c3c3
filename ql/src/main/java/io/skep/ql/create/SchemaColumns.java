package io.skep.ql.create;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.statement.Revision;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.TableFormat;
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
        return SerdeColumns.areDefinedBy(format) ? Revision.columns(storage, fields(format)) : storage;
    }

    public static Table in(Table table) {
        return Revision.storage(table, in(table.storage(), table.properties()));
    }

    private static List<FieldSchema> fields(TableFormat format) {
        return SerdeColumns.of(format).stream()
                .map(described -> new FieldSchema(
                        described.column().name(), described.column().type(), Optional.of(described.comment())))
                .toList();
    }
}
