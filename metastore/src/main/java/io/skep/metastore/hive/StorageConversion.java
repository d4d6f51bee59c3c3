package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.TypeParser;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.Order;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.SkewedInfo;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** Converts storage descriptors and columns between the catalog's records and the library's objects. */
@NullUnmarked
final class StorageConversion {
    private static final int ASCENDING = 1;
    private static final int DESCENDING = 0;

    private StorageConversion() {}

    /** @param owner the table's name, for messages */
    static StorageDescriptor fromThrift(org.apache.hadoop.hive.metastore.api.StorageDescriptor sd, String owner) {
        SerDeInfo serde = sd.getSerdeInfo();
        List<StorageDescriptor.SortColumn> sortColumns = new ArrayList<>();
        for (Order order : orEmpty(sd.getSortCols())) {
            sortColumns.add(new StorageDescriptor.SortColumn(order.getCol(), order.getOrder() != DESCENDING));
        }
        TableFormat format = new TableFormat(
                orEmpty(sd.getInputFormat()),
                orEmpty(sd.getOutputFormat()),
                serde == null ? "" : orEmpty(serde.getSerializationLib()),
                serde == null ? Map.of() : withoutNulls(serde.getParameters()));
        return new StorageDescriptor(
                columns(sd.getCols(), owner),
                orEmpty(sd.getLocation()),
                format,
                sd.isCompressed(),
                sd.getNumBuckets() > 0 ? sd.getNumBuckets() : -1,
                orEmpty(sd.getBucketCols()),
                sortColumns,
                skew(sd));
    }

    private static StorageDescriptor.Skew skew(org.apache.hadoop.hive.metastore.api.StorageDescriptor sd) {
        SkewedInfo skewed = sd.getSkewedInfo();
        if (skewed == null) {
            return StorageDescriptor.Skew.NONE;
        }
        Map<List<String>, String> locations = skewed.getSkewedColValueLocationMaps();
        return new StorageDescriptor.Skew(
                orEmpty(skewed.getSkewedColNames()),
                orEmpty(skewed.getSkewedColValues()),
                sd.isStoredAsSubDirectories(),
                locations == null ? Map.of() : locations);
    }

    private static SkewedInfo toThrift(StorageDescriptor.Skew skew) {
        List<List<String>> values = new ArrayList<>();
        skew.values().forEach(value -> values.add(new ArrayList<>(value)));
        Map<List<String>, String> locations = new HashMap<>();
        skew.locations().forEach((value, location) -> locations.put(new ArrayList<>(value), location));
        return new SkewedInfo(new ArrayList<>(skew.columns()), values, locations);
    }

    /** Copies the record's fields. The other fields of the library's object stay unchanged. */
    static void apply(StorageDescriptor storage, org.apache.hadoop.hive.metastore.api.StorageDescriptor sd) {
        sd.setCols(toThrift(storage.columns()));
        sd.setLocation(orNull(storage.location()));
        sd.setInputFormat(orNull(storage.format().inputFormat()));
        sd.setOutputFormat(orNull(storage.format().outputFormat()));
        sd.setCompressed(storage.compressed());
        sd.setNumBuckets(storage.buckets());
        sd.setBucketCols(new ArrayList<>(storage.bucketColumns()));
        List<Order> orders = new ArrayList<>();
        for (StorageDescriptor.SortColumn column : storage.sortColumns()) {
            orders.add(new Order(column.name(), column.ascending() ? ASCENDING : DESCENDING));
        }
        sd.setSortCols(orders);
        if (!skew(sd).equals(storage.skew())) {
            sd.setSkewedInfo(toThrift(storage.skew()));
            sd.setStoredAsSubDirectories(storage.skew().storedAsDirectories());
        }
        SerDeInfo serde = sd.getSerdeInfo() == null ? new SerDeInfo() : sd.getSerdeInfo();
        serde.setSerializationLib(orNull(storage.format().serde()));
        serde.setParameters(new HashMap<>(storage.format().properties()));
        sd.setSerdeInfo(serde);
    }

    /** Returns an object with defaults for the fields that the record lacks. */
    static org.apache.hadoop.hive.metastore.api.StorageDescriptor empty() {
        var sd = new org.apache.hadoop.hive.metastore.api.StorageDescriptor();
        sd.setParameters(new HashMap<>());
        sd.setSkewedInfo(new SkewedInfo(new ArrayList<>(), new ArrayList<>(), new HashMap<>()));
        return sd;
    }

    static List<FieldSchema> columns(
            @Nullable List<org.apache.hadoop.hive.metastore.api.FieldSchema> columns, String owner) {
        List<FieldSchema> converted = new ArrayList<>();
        for (var column : orEmpty(columns)) {
            converted.add(column(column, owner));
        }
        return converted;
    }

    private static FieldSchema column(org.apache.hadoop.hive.metastore.api.FieldSchema column, String owner) {
        try {
            return new FieldSchema(
                    column.getName(), TypeParser.parse(column.getType()), Optional.ofNullable(column.getComment()));
        } catch (SkepException e) {
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR,
                    "column '" + column.getName() + "' of " + owner + ": " + e.getMessage(),
                    e);
        }
    }

    static List<org.apache.hadoop.hive.metastore.api.FieldSchema> toThrift(List<FieldSchema> columns) {
        List<org.apache.hadoop.hive.metastore.api.FieldSchema> converted = new ArrayList<>(columns.size());
        for (FieldSchema column : columns) {
            converted.add(new org.apache.hadoop.hive.metastore.api.FieldSchema(
                    column.name(), column.type().displayName(), column.comment().orElse(null)));
        }
        return converted;
    }

    static Map<String, String> withoutNulls(@Nullable Map<String, @Nullable String> map) {
        Map<String, String> copy = new HashMap<>();
        if (map != null) {
            map.forEach((key, value) -> {
                if (value != null) {
                    copy.put(key, value);
                }
            });
        }
        return copy;
    }

    static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
