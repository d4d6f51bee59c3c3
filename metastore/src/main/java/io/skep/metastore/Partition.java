package io.skep.metastore;

import java.util.List;
import java.util.Map;

/** A partition. Its values are texts in the order of the table's partition keys. */
public record Partition(
        List<String> values,
        long createTime,
        long lastAccessTime,
        StorageDescriptor storage,
        Map<String, String> properties) {
    public Partition {
        values = List.copyOf(values);
        properties = Map.copyOf(properties);
    }

    /** Returns the same partition with another storage descriptor. */
    public Partition withStorage(StorageDescriptor changed) {
        return new Partition(values, createTime, lastAccessTime, changed, properties);
    }

    /** Returns the same partition with other properties. */
    public Partition withProperties(Map<String, String> changed) {
        return new Partition(values, createTime, lastAccessTime, storage, changed);
    }
}
