package io.skep.ql.physical;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableLayout;
import java.util.List;

/** The catalog's description of a table in the runtime's terms. */
public final class TableLayouts {
    private TableLayouts() {}

    public static TableLayout of(Table table) {
        return new TableLayout(
                table.qualifiedName(),
                table.storage().format(),
                columns(table.columns()),
                columns(table.partitionKeys()),
                table.properties());
    }

    public static List<Column> columns(List<FieldSchema> fields) {
        return fields.stream()
                .map(field -> new Column(field.name(), field.type()))
                .toList();
    }
}
