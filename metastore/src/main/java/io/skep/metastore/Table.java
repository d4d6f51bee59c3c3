package io.skep.metastore;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table or view. Times are seconds since 1970.
 *
 * @param viewOriginalText what the user wrote behind AS, for views
 * @param viewExpandedText the same with all names resolved
 */
public record Table(
        String database,
        String name,
        TableKind kind,
        String owner,
        long createTime,
        long lastAccessTime,
        List<FieldSchema> partitionKeys,
        StorageDescriptor storage,
        Map<String, String> properties,
        Optional<String> viewOriginalText,
        Optional<String> viewExpandedText) {
    public enum TableKind {
        MANAGED_TABLE,
        EXTERNAL_TABLE,
        VIRTUAL_VIEW,
        MATERIALIZED_VIEW
    }

    public Table {
        partitionKeys = List.copyOf(partitionKeys);
        properties = Map.copyOf(properties);
    }

    public List<FieldSchema> columns() {
        return storage.columns();
    }

    public String qualifiedName() {
        return database + "." + name;
    }
}
