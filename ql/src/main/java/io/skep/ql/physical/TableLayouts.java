package io.skep.ql.physical;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The catalog's description of a table in the runtime's terms. */
public final class TableLayouts {
    private TableLayouts() {}

    public static TableLayout of(Table table) {
        return new TableLayout(
                table.qualifiedName(),
                format(table.storage(), table.properties()),
                columns(table.columns()),
                columns(table.partitionKeys()),
                table.properties());
    }

    /** The format with the table's properties among those of the SerDe, as Hive gives them to SerDes. */
    public static TableFormat format(StorageDescriptor storage, Map<String, String> tableProperties) {
        Map<String, String> properties = new HashMap<>(tableProperties);
        properties.putAll(storage.format().properties());
        TableFormat format = storage.format();
        return new TableFormat(format.inputFormat(), format.outputFormat(), format.serde(), properties);
    }

    public static List<Column> columns(List<FieldSchema> fields) {
        return fields.stream()
                .map(field -> new Column(field.name(), field.type()))
                .toList();
    }
}
