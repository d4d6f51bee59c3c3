package io.skep.ql.show;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.metastore.Database;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.SqlStatement;
import io.skep.ql.create.ConstraintText;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW CREATE TABLE and SHOW CREATE DATABASE. Shows the statement that would recreate the object, in Hive's layout. */
public final class ShowCreateTableHandler implements StatementHandler {
    private static final Set<String> FIGURES = Set.of(
            "comment",
            "EXTERNAL",
            "SORTBUCKETCOLSPREFIX",
            Table.STORAGE_HANDLER,
            "COLUMN_STATS_ACCURATE",
            StatisticsProperties.LISTING,
            ViewTimeZone.PROPERTY,
            "numFiles",
            "numRows",
            "rawDataSize",
            "totalSize",
            "numPartitions",
            "numFilesErasureCoded");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        if (statement.is(HiveParser.TOK_SHOW_CREATEDATABASE)) {
            SyntaxNode name = statement.child(0);
            Database database = context.database(SyntaxText.identifier(name), name.position());
            requireCreated(
                    database.name(), SystemTables.isBuiltIn(database.name(), context.catalog()), name.position());
            return command("SHOW_CREATEDATABASE", "createdb_stmt", database(database));
        }
        TableName name = TableName.asWritten(statement.child(0), context);
        Table table = ShownPolicies.of(context.table(name), context);
        requireCreated(table.qualifiedName(), table.isSystem(), name.position());
        String shown = statement.child(0).childCount() > 1 ? table.database() + "`.`" + table.name() : table.name();
        String text = table.kind() == Table.TableKind.VIRTUAL_VIEW
                ? view(table, shown)
                : table(table, shown, TableStore.isTemporary(table, context)) + constraints(table, context);
        return command("SHOW_CREATETABLE", "createtab_stmt", text + lines(ShownPolicies.statements(table)));
    }

    private static void requireCreated(String name, boolean isSystem, TextPosition where) {
        if (isSystem) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, name + " belongs to the system: no statement creates it")
                    .at(where);
        }
    }

    /** @param shown the name between the back-ticks */
    static String view(Table view, String shown) {
        return "CREATE VIEW `" + shown + "` " + partitionedOn(view) + "AS "
                + view.viewExpandedText().or(view::viewOriginalText).orElse("");
    }

    private static String partitionedOn(Table view) {
        return view.partitionKeys().isEmpty()
                ? ""
                : view.partitionKeys().stream()
                        .map(key -> HiveSqlParser.quoted(key.name()))
                        .collect(Collectors.joining(", ", "PARTITIONED ON (", ") "));
    }

    private static String constraints(Table table, StatementContext context) {
        return lines(ConstraintText.statements(table, TableStore.constraints(table, context)));
    }

    private static String lines(List<String> statements) {
        return statements.stream().map(line -> "\n" + line).collect(Collectors.joining());
    }

    private static SqlStatement command(String operation, String column, String text) {
        return CommandStatement.withText(
                operation,
                List.of(column),
                log -> text.lines().map(line -> List.of(Optional.of(line))).toList());
    }

    private static String database(Database database) {
        StringBuilder text =
                new StringBuilder("CREATE DATABASE `").append(database.name()).append('`');
        database.comment().ifPresent(comment -> text.append("\nCOMMENT\n  ").append(quoted(comment)));
        text.append("\nLOCATION\n  ").append(quoted(database.location()));
        database.managedLocation()
                .ifPresent(location -> text.append("\nMANAGEDLOCATION\n  ").append(quoted(location)));
        if (!database.properties().isEmpty()) {
            text.append("\nWITH DBPROPERTIES (\n")
                    .append(pairs(database.properties()))
                    .append(')');
        }
        return text.toString();
    }

    /** @param shown the name between the back-ticks */
    static String table(Table table, String shown, boolean temporary) {
        StringBuilder text = new StringBuilder("CREATE ");
        text.append(temporary ? "TEMPORARY " : "");
        text.append(table.kind() == Table.TableKind.EXTERNAL_TABLE ? "EXTERNAL " : "");
        text.append("TABLE `")
                .append(shown)
                .append("`(\n")
                .append(columns(ShownColumns.of(table.storage())))
                .append(')');
        String comment = table.properties().get("comment");
        if (comment != null) {
            text.append("\nCOMMENT ").append(quoted(comment));
        }
        if (!table.partitionKeys().isEmpty()) {
            text.append("\nPARTITIONED BY ( \n")
                    .append(columns(table.partitionKeys()))
                    .append(')');
        }
        StorageDescriptor storage = table.storage();
        appendBuckets(storage, text);
        appendSkew(storage.skew(), text);
        appendFormat(table, text);
        Map<String, String> properties = PolicyProperties.without(table.properties());
        properties.keySet().removeAll(FIGURES);
        return text.append("\nLOCATION\n  ")
                .append(quoted(storage.location()))
                .append("\nTBLPROPERTIES (\n")
                .append(pairs(properties))
                .append(')')
                .toString();
    }

    private static void appendFormat(Table table, StringBuilder text) {
        TableFormat format = table.storage().format();
        text.append("\nROW FORMAT SERDE \n  ").append(quoted(format.serde())).append(' ');
        Map<String, String> serde = new TreeMap<>(format.properties());
        if (table.storageHandler().isPresent()) {
            String handler = table.storageHandler().get();
            text.append("\nSTORED BY \n  ").append(quoted(handler)).append(' ');
            appendSerdeProperties(serde, text);
            return;
        }
        serde.remove("serialization.format", "1");
        if (!serde.isEmpty()) {
            appendSerdeProperties(serde, text);
            text.append(' ');
        }
        text.append("\nSTORED AS INPUTFORMAT \n  ")
                .append(quoted(format.inputFormat()))
                .append(" \nOUTPUTFORMAT \n  ")
                .append(quoted(format.outputFormat()));
    }

    private static void appendSerdeProperties(Map<String, String> properties, StringBuilder text) {
        text.append("\nWITH SERDEPROPERTIES ( \n")
                .append(pairs(properties, DescribedRows::escapedCharacters))
                .append(')');
    }

    private static void appendBuckets(StorageDescriptor storage, StringBuilder text) {
        if (storage.bucketColumns().isEmpty()) {
            return;
        }
        text.append("\nCLUSTERED BY (\n")
                .append(storage.bucketColumns().stream()
                        .map(column -> "  " + HiveSqlParser.quoted(column))
                        .collect(Collectors.joining(",\n")))
                .append(')');
        if (!storage.sortColumns().isEmpty()) {
            text.append("\nSORTED BY ( \n")
                    .append(storage.sortColumns().stream()
                            .map(column -> "  " + HiveSqlParser.quoted(column.name()) + " "
                                    + (column.ascending() ? "ASC" : "DESC"))
                            .collect(Collectors.joining(", \n")))
                    .append(") ");
        }
        text.append("\nINTO ").append(storage.buckets()).append(" BUCKETS");
    }

    private static void appendSkew(StorageDescriptor.Skew skew, StringBuilder text) {
        if (!skew.columns().isEmpty()) {
            text.append("\nSKEWED BY (")
                    .append(skew.columns().stream()
                            .map(column -> HiveSqlParser.quoted(column))
                            .collect(Collectors.joining(",")))
                    .append(")\n  ON (")
                    .append(skew.values().stream()
                            .map(value -> value.stream()
                                    .map(ShowCreateTableHandler::quoted)
                                    .collect(Collectors.joining(",", "(", ")")))
                            .collect(Collectors.joining(",")))
                    .append(')')
                    .append(skew.storedAsDirectories() ? "\n  STORED AS DIRECTORIES" : "");
        }
    }

    private static String columns(List<FieldSchema> columns) {
        List<String> lines = new ArrayList<>();
        for (FieldSchema column : columns) {
            String comment =
                    column.comment().map(text -> " COMMENT " + quoted(text)).orElse("");
            lines.add("  " + HiveSqlParser.quoted(column.name()) + " " + type(column.type()) + comment);
        }
        return String.join(", \n", lines);
    }

    /** Returns the type with the field names of structs in back-ticks. */
    private static String type(SqlType type) {
        return switch (type) {
            case StructType struct ->
                struct.fields().stream()
                        .map(field -> HiveSqlParser.quoted(field.name()) + ":" + type(field.type()))
                        .collect(Collectors.joining(", ", "struct<", ">"));
            case UnionType union ->
                union.alternatives().stream()
                        .map(ShowCreateTableHandler::type)
                        .collect(Collectors.joining(", ", "uniontype<", ">"));
            case ArrayType array -> "array<" + type(array.element()) + ">";
            case MapType map -> "map<" + type(map.key()) + "," + type(map.value()) + ">";
            case PrimitiveType _, DecimalType _, CharType _, VarcharType _ -> type.displayName();
        };
    }

    private static String pairs(Map<String, String> properties) {
        return pairs(properties, UnaryOperator.identity());
    }

    private static String pairs(Map<String, String> properties, UnaryOperator<String> shown) {
        return new TreeMap<>(properties)
                .entrySet().stream()
                        .map(each -> "  " + quoted(each.getKey()) + "=" + quoted(each.getValue()))
                        .map(shown)
                        .collect(Collectors.joining(", \n"));
    }

    /** Returns a literal. As in Hive, semicolons are escaped, so that clients take it for one statement. */
    static String quoted(String text) {
        return "'"
                + text.replace("\\", "\\\\")
                        .replace("'", "\\'")
                        .replace(";", "\\;")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                        .replace("\r", "\\r")
                + "'";
    }
}
