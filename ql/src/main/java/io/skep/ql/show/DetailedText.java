package io.skep.ql.show;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.statistics.StatisticsProperties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The one-line form of a definition at the end of DESCRIBE EXTENDED. */
final class DetailedText {
    private DetailedText() {}

    static String of(Table table, Map<String, String> parameters) {
        return "Table(tableName:" + table.name() + ", dbName:" + table.database() + ", owner:" + table.owner()
                + ", createTime:" + table.createTime() + ", lastAccessTime:" + table.lastAccessTime()
                + ", retention:0, sd:" + storage(table.storage()) + ", partitionKeys:" + columns(table.partitionKeys())
                + ", parameters:" + map(parameters) + ", viewOriginalText:"
                + table.viewOriginalText().orElse("null") + ", viewExpandedText:"
                + table.viewExpandedText().orElse("null") + ", tableType:" + table.kind()
                + ", rewriteEnabled:false, catName:hive, ownerType:USER)";
    }

    static String of(Table table, Partition partition) {
        return "Partition(values:[" + String.join(", ", partition.values()) + "], dbName:" + table.database()
                + ", tableName:" + table.name() + ", createTime:" + partition.createTime() + ", lastAccessTime:"
                + partition.lastAccessTime() + ", sd:" + storage(partition.storage()) + ", parameters:"
                + map(StatisticsProperties.shown(partition.properties())) + ", catName:hive)";
    }

    /** Returns a text as Hive shows what is not there. */
    static String orNull(String text) {
        return text.isEmpty() ? "null" : text;
    }

    private static String storage(StorageDescriptor storage) {
        return "StorageDescriptor(cols:" + columns(storage.columns()) + ", location:"
                + orNull(storage.location()) + ", inputFormat:"
                + orNull(storage.format().inputFormat()) + ", outputFormat:"
                + orNull(storage.format().outputFormat()) + ", compressed:" + storage.compressed() + ", numBuckets:"
                + storage.buckets() + ", serdeInfo:SerDeInfo(name:null, serializationLib:"
                + orNull(storage.format().serde()) + ", parameters:"
                + map(storage.format().properties()) + "), bucketCols:["
                + String.join(", ", storage.bucketColumns()) + "], sortCols:" + sortColumns(storage)
                + ", parameters:{}, skewedInfo:SkewedInfo(skewedColNames:"
                + storage.skew().columns()
                + ", skewedColValues:" + storage.skew().values()
                + ", skewedColValueLocationMaps:" + folders(storage.skew().locations())
                + "), storedAsSubDirectories:" + storage.skew().storedAsDirectories() + ")";
    }

    /** Returns the folders of frequent values, in the order of the values. */
    static String folders(Map<List<String>, String> locations) {
        return locations.entrySet().stream()
                .map(folder -> folder.getKey() + "=" + folder.getValue())
                .sorted()
                .collect(Collectors.joining(", ", "{", "}"));
    }

    static String sortColumns(StorageDescriptor storage) {
        return storage.sortColumns().stream()
                .map(column -> "Order(col:" + column.name() + ", order:" + (column.ascending() ? 1 : 0) + ")")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String columns(List<FieldSchema> columns) {
        return columns.stream()
                .map(column -> "FieldSchema(name:" + column.name() + ", type:"
                        + column.type().displayName() + ", comment:"
                        + column.comment().orElse("null") + ")")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String map(Map<String, String> properties) {
        return new TreeMap<>(properties).toString();
    }
}
