package io.skep.ql.show;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SHOW TABLE EXTENDED [IN database] LIKE pattern [PARTITION (...)]. Shows the locations of tables and the sizes of
 * their files. With a partition, the pattern is the name of a table.
 */
public final class ShowTableExtendedHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        String pattern = statement.child(0).text().startsWith("'")
                        || statement.child(0).text().startsWith("\"")
                ? SyntaxText.string(statement.child(0))
                : SyntaxText.identifier(statement.child(0));
        Optional<SyntaxNode> named = statement.children().stream()
                .skip(1)
                .filter(child -> !child.is(HiveParser.TOK_PARTSPEC))
                .findFirst();
        String database =
                named.map(SyntaxText::identifier).orElse(context.session().currentDatabase());
        context.database(database, statement.position());
        Optional<SyntaxNode> spec = statement.first(HiveParser.TOK_PARTSPEC);
        return CommandStatement.withText("SHOW_TABLESTATUS", List.of("tab_name"), log -> {
            List<List<Optional<String>>> rows = new ArrayList<>();
            List<Map<String, Object>> objects = new ArrayList<>();
            List<Table> tables = spec.isPresent()
                    ? List.of(context.table(new TableName(
                            database,
                            pattern.toLowerCase(Locale.ROOT),
                            statement.child(0).position(),
                            pattern)))
                    : tables(database, pattern, context);
            for (Table table : tables) {
                Optional<Partition> partition =
                        spec.map(node -> PartitionSpec.of(table, node, context).partition(context));
                objects.add(json(table, partition, context));
                lines(table, partition, context).forEach(line -> rows.add(List.of(Optional.of(line))));
            }
            return DefinitionJson.isWanted(context) ? DefinitionJson.rows(Map.of("tables", objects)) : rows;
        });
    }

    private static Map<String, Object> json(Table table, Optional<Partition> partition, StatementContext context) {
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("tableName", table.name());
        json.put("ownerType", "USER");
        json.put("owner", table.owner());
        if (!storage.location().isEmpty()) {
            json.put("location", storage.location());
        }
        json.put("inputFormat", storage.format().inputFormat());
        json.put("outputFormat", storage.format().outputFormat());
        json.put("columns", DefinitionJson.columns(storage.columns()));
        json.put("partitioned", !table.partitionKeys().isEmpty());
        if (!table.partitionKeys().isEmpty()) {
            json.put("partitionColumns", DefinitionJson.columns(table.partitionKeys()));
        }
        if (!storage.location().isEmpty()) {
            LongSummaryStatistics sizes = files(table, partition, context).stream()
                    .mapToLong(TableFiles.TableFile::length)
                    .summaryStatistics();
            json.put("totalNumberFiles", sizes.getCount());
            json.put("totalFileSize", sizes.getSum());
            json.put("maxFileSize", sizes.getCount() == 0 ? 0 : sizes.getMax());
            json.put("minFileSize", sizes.getCount() == 0 ? 0 : sizes.getMin());
        }
        return json;
    }

    private static List<Table> tables(String database, String pattern, StatementContext context) {
        Predicate<Table> visible = context.visible();
        return context.catalog().tables(database).stream()
                .filter(SyntaxText.like(Optional.of(pattern)))
                .flatMap(name -> context.session().table(database, name).stream())
                .filter(visible)
                .toList();
    }

    private static List<String> lines(Table table, Optional<Partition> partition, StatementContext context) {
        StorageDescriptor storage = partition.map(Partition::storage).orElse(table.storage());
        List<String> lines = new ArrayList<>();
        lines.add("tableName:" + table.name());
        lines.add("owner:" + table.owner());
        lines.add("location:" + (storage.location().isEmpty() ? "null" : storage.location()));
        lines.add("inputformat:" + storage.format().inputFormat());
        lines.add("outputformat:" + storage.format().outputFormat());
        lines.add("columns:struct columns { " + fields(storage.columns()) + "}");
        lines.add("partitioned:" + !table.partitionKeys().isEmpty());
        lines.add("partitionColumns:"
                + (table.partitionKeys().isEmpty()
                        ? ""
                        : "struct partition_columns { " + fields(table.partitionKeys()) + "}"));
        if (!storage.location().isEmpty()) {
            addFigures(files(table, partition, context), lines);
        }
        lines.add("");
        return lines;
    }

    private static List<TableFiles.TableFile> files(
            Table table, Optional<Partition> partition, StatementContext context) {
        TableFiles files = context.services().files();
        if (partition.isPresent() || table.partitionKeys().isEmpty()) {
            return files.files(
                    partition.map(Partition::storage).orElse(table.storage()).location());
        }
        return context.catalog().partitions(table, values -> true).stream()
                .flatMap(each -> files.files(each.storage().location()).stream())
                .toList();
    }

    private static void addFigures(List<TableFiles.TableFile> files, List<String> lines) {
        LongSummaryStatistics sizes =
                files.stream().mapToLong(TableFiles.TableFile::length).summaryStatistics();
        lines.add("totalNumberFiles:" + sizes.getCount());
        lines.add("totalFileSize:" + sizes.getSum());
        lines.add("maxFileSize:" + (files.isEmpty() ? 0 : sizes.getMax()));
        lines.add("minFileSize:" + (files.isEmpty() ? 0 : sizes.getMin()));
        long newest = files.stream()
                .mapToLong(TableFiles.TableFile::modificationTime)
                .max()
                .orElse(0);
        lines.add("lastUpdateTime:" + newest);
    }

    /** Formats the columns with Thrift's names for their types. */
    private static String fields(List<FieldSchema> columns) {
        return columns.stream()
                .map(column -> thrift(column.type().displayName()) + " " + column.name())
                .collect(Collectors.joining(", "));
    }

    private static String thrift(String type) {
        return type.replaceAll("\\bboolean\\b", "bool")
                .replaceAll("\\btinyint\\b", "byte")
                .replaceAll("\\bsmallint\\b", "i16")
                .replaceAll("\\bbigint\\b", "i64")
                .replaceAll("\\bint\\b", "i32")
                .replaceAll("\\barray<", "list<");
    }
}
