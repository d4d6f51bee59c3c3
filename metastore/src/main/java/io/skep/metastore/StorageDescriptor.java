package io.skep.metastore;

import io.skep.storage.table.TableFormat;
import java.util.List;

/**
 * Where and how a table or a partition is stored.
 *
 * @param buckets number of buckets, or -1
 */
public record StorageDescriptor(
        List<FieldSchema> columns,
        String location,
        TableFormat format,
        boolean compressed,
        int buckets,
        List<String> bucketColumns,
        List<SortColumn> sortColumns) {
    public record SortColumn(String name, boolean ascending) {}

    public StorageDescriptor {
        columns = List.copyOf(columns);
        bucketColumns = List.copyOf(bucketColumns);
        sortColumns = List.copyOf(sortColumns);
    }
}
