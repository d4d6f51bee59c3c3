package io.skep.metastore;

import io.skep.common.type.TypeParser;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records for catalog tests. */
public final class CatalogFixtures {
    public static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of("serialization.format", "1"));

    private CatalogFixtures() {}

    /** @param columns alternating names and types */
    public static List<FieldSchema> columns(String... columns) {
        List<FieldSchema> fields = new ArrayList<>();
        for (int i = 0; i < columns.length; i += 2) {
            fields.add(new FieldSchema(columns[i], TypeParser.parse(columns[i + 1]), Optional.empty()));
        }
        return fields;
    }

    public static StorageDescriptor storage(List<FieldSchema> columns, String location) {
        return new StorageDescriptor(columns, location, ORC, false, -1, List.of(), List.of());
    }

    public static Table table(String database, String name, List<FieldSchema> columns, List<FieldSchema> keys) {
        return table(database, name, Table.TableKind.MANAGED_TABLE, columns, keys, "");
    }

    public static Table table(
            String database,
            String name,
            Table.TableKind kind,
            List<FieldSchema> columns,
            List<FieldSchema> keys,
            String location) {
        return new Table(
                Table.NO_ID,
                database,
                name,
                kind,
                "alice",
                false,
                0,
                0,
                keys,
                storage(columns, location),
                Map.of("made.by", "test"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public static Table with(
            Table table, String database, String name, StorageDescriptor storage, Map<String, String> more) {
        Map<String, String> properties = new java.util.HashMap<>(table.properties());
        properties.putAll(more);
        return new Table(
                Table.NO_ID,
                database,
                name,
                table.kind(),
                table.owner(),
                table.ownerIsRole(),
                table.createTime(),
                table.lastAccessTime(),
                table.partitionKeys(),
                storage,
                properties,
                table.viewOriginalText(),
                table.viewExpandedText(),
                Optional.empty());
    }

    public static Partition partition(Table table, String... values) {
        return new Partition(List.of(values), 0, 0, storage(table.columns(), ""), Map.of("p", values[0]));
    }

    public static Database database(String name, String location) {
        return new Database(
                name, Optional.of("about " + name), location, Optional.empty(), "bob", false, Map.of("k", "v"));
    }
}
