package io.skep.ql.show;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The output of SHOW and DESCRIBE under {@code hive.ddl.output.format=json}: one row that contains one JSON object. */
final class DefinitionJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private DefinitionJson() {}

    static boolean isWanted(StatementContext context) {
        return context.settings().get("hive.ddl.output.format").orElse("text").equals("json");
    }

    static List<List<Optional<String>>> rows(Map<String, Object> object) {
        try {
            return List.of(List.of(Optional.of(JSON.writeValueAsString(object))));
        } catch (JsonProcessingException e) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "cannot write a definition as JSON", e);
        }
    }

    static Map<String, Object> names(String what, List<String> names) {
        return Map.of(what, names);
    }

    static List<Map<String, Object>> columns(List<FieldSchema> columns) {
        return columns.stream().map(DefinitionJson::column).toList();
    }

    /**
     * Returns the output of DESCRIBE: the columns, including partition columns in the plain form. EXTENDED adds the
     * definition.
     */
    static List<List<Optional<String>>> described(
            Table table,
            Optional<Partition> partition,
            Optional<SyntaxNode> column,
            String form,
            StatementContext context) {
        Map<String, Object> json = new LinkedHashMap<>();
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        if (column.isPresent()) {
            FieldSchema described = new ColumnDescription(table, partition, column.get(), context).schema();
            json.put("columns", columns(List.of(described)));
            return rows(json);
        }
        List<FieldSchema> shown = new ArrayList<>(ShownColumns.of(storage));
        if (!form.equals("formatted")) {
            shown.addAll(table.partitionKeys());
        }
        json.put("columns", columns(shown));
        if (form.equals("extended")) {
            json.put("tableInfo", tableInfo(table, storage));
        }
        return rows(json);
    }

    private static Map<String, Object> tableInfo(Table table, StorageDescriptor storage) {
        Map<String, Object> stored = new LinkedHashMap<>();
        stored.put("cols", columns(ShownColumns.of(storage)));
        stored.put("location", storage.location());
        stored.put("inputFormat", storage.format().inputFormat());
        stored.put("outputFormat", storage.format().outputFormat());
        stored.put("compressed", storage.compressed());
        stored.put("numBuckets", storage.buckets());
        stored.put(
                "serdeInfo",
                Map.of(
                        "serializationLib",
                        storage.format().serde(),
                        "parameters",
                        new TreeMap<>(storage.format().properties())));
        stored.put("bucketCols", storage.bucketColumns());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("tableName", table.name());
        json.put("dbName", table.database());
        json.put("owner", table.owner());
        json.put("createTime", table.createTime());
        json.put("lastAccessTime", table.lastAccessTime());
        json.put("retention", 0);
        json.put("sd", stored);
        json.put("partitionKeys", columns(table.partitionKeys()));
        json.put("parameters", new TreeMap<>(table.properties()));
        table.viewOriginalText().ifPresent(text -> json.put("viewOriginalText", text));
        table.viewExpandedText().ifPresent(text -> json.put("viewExpandedText", text));
        json.put("tableType", table.kind().name());
        return json;
    }

    private static Map<String, Object> column(FieldSchema column) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", column.name());
        json.put("type", column.type().displayName());
        column.comment().filter(comment -> !comment.isEmpty()).ifPresent(comment -> json.put("comment", comment));
        return json;
    }

    /** @param names partition names as in the catalog, {@code k=v/k=v} */
    static Map<String, Object> partitions(Table table, List<String> names) {
        return Map.of(
                "partitions",
                names.stream()
                        .map(name -> partition(table, PartitionName.values(name)))
                        .toList());
    }

    private static Map<String, Object> partition(Table table, List<String> values) {
        List<String> parts = new ArrayList<>();
        List<Map<String, Object>> columns = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            String key = table.partitionKeys().get(i).name();
            parts.add(key + "='" + values.get(i) + "'");
            Map<String, Object> column = new LinkedHashMap<>();
            column.put("columnName", key);
            column.put("columnValue", values.get(i));
            columns.add(column);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", String.join(",", parts));
        json.put("values", columns);
        return json;
    }
}
