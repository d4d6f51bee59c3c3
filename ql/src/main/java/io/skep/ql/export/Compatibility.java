package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Whether the files of an exported table can be added to a table: their rows must mean the same there. */
final class Compatibility {
    private final Table table;
    private final Table exported;
    private final SyntaxNode statement;

    /** @param statement TOK_IMPORT */
    Compatibility(Table table, Table exported, SyntaxNode statement) {
        this.table = table;
        this.exported = exported;
        this.statement = statement;
    }

    /** @throws SkepException in Hive's words, with what differs */
    void check() {
        StorageDescriptor own = table.storage();
        StorageDescriptor other = exported.storage();
        boolean external = table.kind() == Table.TableKind.EXTERNAL_TABLE;
        require(
                external || !ImportedTable.isExternal(statement),
                "External table cannot overwrite existing table. Drop existing table first.");
        require(statement.first(HiveParser.TOK_TABLELOCATION).isEmpty(), "Location does not match");
        require(columns(own.columns()).equals(columns(other.columns())), "Column Schema does not match");
        require(
                columns(table.partitionKeys()).equals(columns(exported.partitionKeys())),
                "Partition Schema does not match");
        require(
                own.format().inputFormat().equals(other.format().inputFormat())
                        && own.format().outputFormat().equals(other.format().outputFormat()),
                "Table inputformat/outputformats do not match");
        require(own.format().serde().equals(other.format().serde()), "Table Serde class does not match");
        require(properties(own).equals(properties(other)), "Table Serde format does not match");
        require(
                own.buckets() == other.buckets()
                        && own.bucketColumns().equals(other.bucketColumns())
                        && (own.buckets() <= 0 || version(table, "1").equals(versionOfExport())),
                "Table bucketing spec does not match");
        require(own.sortColumns().equals(other.sortColumns()), "Table sorting spec does not match");
    }

    private record Named(String name, SqlType type) {}

    private static List<Named> columns(List<FieldSchema> columns) {
        return columns.stream()
                .map(column -> new Named(column.name().toLowerCase(Locale.ROOT), column.type()))
                .toList();
    }

    /** Returns the properties of a SerDe. Hive leaves the default out in exports of transactional tables. */
    private static Map<String, String> properties(StorageDescriptor storage) {
        Map<String, String> properties = new TreeMap<>(storage.format().properties());
        properties.remove("serialization.format", "1");
        return properties;
    }

    private String versionOfExport() {
        return version(exported, exported.isTransactional() ? "2" : "1");
    }

    private static String version(Table table, String missing) {
        Map<String, String> properties = table.properties();
        return properties.getOrDefault("bucketing_version", missing);
    }

    private void require(boolean same, String difference) {
        if (!same) {
            ErrorMsg error = ErrorMsg.INCOMPATIBLE_SCHEMA;
            throw CompileErrors.plain(
                    statement.child(0).position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    error,
                    error.getMsg() + "  " + difference);
        }
    }
}
