package io.skep.storage.serde;

import io.skep.storage.table.Column;
import java.util.List;
import java.util.Map;

/**
 * A table whose rows another system keeps.
 *
 * @param name the qualified name
 * @param handler the class of the storage handler
 * @param columns all columns
 * @param properties the properties of the table and of its SerDe
 */
public record HandlerTable(
        String name, String handler, String location, List<Column> columns, Map<String, String> properties) {
    public HandlerTable {
        columns = List.copyOf(columns);
        properties = Map.copyOf(properties);
    }
}
