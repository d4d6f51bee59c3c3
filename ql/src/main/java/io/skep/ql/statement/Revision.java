package io.skep.ql.statement;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates copies of table and partition definitions with one property changed. */
public final class Revision {
    private Revision() {}

    public static Table properties(Table table, Map<String, String> properties) {
        return table.withProperties(properties);
    }

    public static Table storage(Table table, StorageDescriptor storage) {
        return table.withStorage(storage);
    }

    public static Table named(Table table, String database, String name) {
        return new Table(
                table.id(),
                database,
                name,
                table.kind(),
                table.owner(),
                table.ownerIsRole(),
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                table.storage(),
                table.properties(),
                table.viewOriginalText(),
                table.viewExpandedText(),
                table.materialization());
    }

    public static Table kind(Table table, Table.TableKind kind) {
        return table.withKind(kind);
    }

    public static Table owner(Table table, String owner, boolean ownerIsRole) {
        return new Table(
                table.id(),
                table.database(),
                table.name(),
                table.kind(),
                owner,
                ownerIsRole,
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                table.storage(),
                table.properties(),
                table.viewOriginalText(),
                table.viewExpandedText(),
                table.materialization());
    }

    public static Table partitionKeys(Table table, List<FieldSchema> keys) {
        return new Table(
                table.id(),
                table.database(),
                table.name(),
                table.kind(),
                table.owner(),
                table.ownerIsRole(),
                table.createTime(),
                table.lastAccessTime(),
                keys,
                table.storage(),
                table.properties(),
                table.viewOriginalText(),
                table.viewExpandedText(),
                table.materialization());
    }

    public static Table view(Table table, StorageDescriptor storage, String original, String expanded) {
        return new Table(
                table.id(),
                table.database(),
                table.name(),
                table.kind(),
                table.owner(),
                table.ownerIsRole(),
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                storage,
                table.properties(),
                Optional.of(original),
                Optional.of(expanded),
                table.materialization());
    }

    public static Partition properties(Partition partition, Map<String, String> properties) {
        return partition.withProperties(properties);
    }

    public static Partition storage(Partition partition, StorageDescriptor storage) {
        return new Partition(
                partition.values(),
                partition.createTime(),
                partition.lastAccessTime(),
                storage,
                partition.properties());
    }

    public static Partition values(Partition partition, List<String> values) {
        return new Partition(
                values,
                partition.createTime(),
                partition.lastAccessTime(),
                partition.storage(),
                partition.properties());
    }

    public static StorageDescriptor columns(StorageDescriptor storage, List<FieldSchema> columns) {
        return new StorageDescriptor(
                columns,
                storage.location(),
                storage.format(),
                storage.compressed(),
                storage.buckets(),
                storage.bucketColumns(),
                storage.sortColumns(),
                storage.skew().after(storage.columns(), columns));
    }

    public static StorageDescriptor location(StorageDescriptor storage, String location) {
        return storage.withLocation(location);
    }

    public static StorageDescriptor format(StorageDescriptor storage, TableFormat format) {
        return new StorageDescriptor(
                storage.columns(),
                storage.location(),
                format,
                storage.compressed(),
                storage.buckets(),
                storage.bucketColumns(),
                storage.sortColumns(),
                storage.skew());
    }

    public static StorageDescriptor buckets(
            StorageDescriptor storage,
            int buckets,
            List<String> bucketColumns,
            List<StorageDescriptor.SortColumn> sortColumns) {
        return new StorageDescriptor(
                storage.columns(),
                storage.location(),
                storage.format(),
                storage.compressed(),
                buckets,
                bucketColumns,
                sortColumns,
                storage.skew());
    }
}
