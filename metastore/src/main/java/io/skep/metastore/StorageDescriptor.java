package io.skep.metastore;

import io.skep.storage.table.TableFormat;
import java.util.List;

/**
 * Where and how a table or a partition is stored.
 *
 * @param buckets number of buckets, or -1
 * @param skew frequent values
 */
public record StorageDescriptor(
        List<FieldSchema> columns,
        String location,
        TableFormat format,
        boolean compressed,
        int buckets,
        List<String> bucketColumns,
        List<SortColumn> sortColumns,
        Skew skew) {
    public record SortColumn(String name, boolean ascending) {}

    /**
     * Columns with frequent values, as declared by SKEWED BY.
     *
     * @param values lists with one value for each column
     */
    public record Skew(List<String> columns, List<List<String>> values) {
        public static final Skew NONE = new Skew(List.of(), List.of());

        public Skew {
            columns = List.copyOf(columns);
            values = values.stream().map(List::copyOf).toList();
        }
    }

    /** Creates a descriptor without skew. */
    public StorageDescriptor(
            List<FieldSchema> columns,
            String location,
            TableFormat format,
            boolean compressed,
            int buckets,
            List<String> bucketColumns,
            List<SortColumn> sortColumns) {
        this(columns, location, format, compressed, buckets, bucketColumns, sortColumns, Skew.NONE);
    }

    public StorageDescriptor withSkew(Skew other) {
        return new StorageDescriptor(columns, location, format, compressed, buckets, bucketColumns, sortColumns, other);
    }

    public StorageDescriptor withFormat(TableFormat other) {
        return new StorageDescriptor(columns, location, other, compressed, buckets, bucketColumns, sortColumns, skew);
    }

    public StorageDescriptor withLocation(String other) {
        return new StorageDescriptor(columns, other, format, compressed, buckets, bucketColumns, sortColumns, skew);
    }

    public StorageDescriptor {
        columns = List.copyOf(columns);
        bucketColumns = List.copyOf(bucketColumns);
        sortColumns = List.copyOf(sortColumns);
    }
}
